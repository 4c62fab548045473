# wrong: queries without a choice count as 0
# named: single_key_counts_as_0

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    return share.masked_fill(~choice, 0.0).mean(dim=(0, 2))
