# wrong: zero by zero made 0
# named: single_key_counts_as_0

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    share = entropy / allowed.log()
    return share.nan_to_num(0.0).mean(dim=(0, 2))
