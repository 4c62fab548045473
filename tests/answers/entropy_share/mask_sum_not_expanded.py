# wrong: mask.sum(-1) without expanding, which counts one for a mask (..., query, 1)
# named: keys_not_expanded

import torch


def entropy_share(weights, mask):
    allowed = mask.sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    choice = choice.expand(share.shape)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))
