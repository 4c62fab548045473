# wrong: one minus the share
# named: one_minus

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return 1 - share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))
