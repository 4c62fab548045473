# wrong: the mean of each sentence first
# named: sentence_first

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return (share.sum(dim=2) / choice.sum(dim=2)).mean(dim=0)
