# wrong: mask.sum(-1) without expanding, which counts 1 for a mask (..., query, 1)
# named: keys_not_expanded
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = mask / mask.sum(dim=-1, keepdim=True)
    even = even.expand(weights.shape)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))
