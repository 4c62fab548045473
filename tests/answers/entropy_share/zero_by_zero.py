# wrong: divides zero by zero
# named: zero_by_zero

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    share = entropy / allowed.log()
    return share.mean(dim=(0, 2))
