# wrong: counts the queries in the unexpanded mask, which has fewer of them
import torch


def entropy_share(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    n = mask.sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    return share.sum(dim=(0, 2)) / (n >= 2).sum()
