# wrong: the mean entropy over the mean log
# named: ratio_of_means

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    entropy / allowed.clamp(min=2).log()
    top = allowed.clamp(min=2).log() * choice
    return (entropy * choice).sum(dim=(0, 2)) / top.sum(dim=(0, 2))
