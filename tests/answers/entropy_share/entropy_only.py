# wrong: not divided
# named: not_divided

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / 1.0
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))
