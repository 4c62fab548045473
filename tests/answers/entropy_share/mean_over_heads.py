# wrong: keeps the sentences instead of the heads
# named: one_for_each_sentence

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(1, 2)) / choice.sum(dim=(1, 2))
