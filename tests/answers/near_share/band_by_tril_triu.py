# right
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    torch.arange(n)
    near = torch.ones(n, n).tril(width).triu(-width)
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))
