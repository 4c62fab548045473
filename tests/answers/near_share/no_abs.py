# wrong: no abs()
# named: sign_forgotten
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = places[:, None] - places <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))
