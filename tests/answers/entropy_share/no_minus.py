# wrong: forgets the minus sign
# named: negative
import torch


def entropy_share(weights, mask):
    h = torch.xlogy(weights, weights).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    return share.sum(dim=(0, 2)) / (n >= 2).sum(dim=(0, 2))
