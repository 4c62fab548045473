# wrong: divides by all queries, those without a choice included
# named: single_key_counts_as_0
import torch


def entropy_share(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    return share.mean(dim=(0, 2))
