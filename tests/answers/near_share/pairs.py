# wrong: near pairs over all pairs
# named: ratio_of_counts
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    return found, (near * allowed).sum(dim=(0, 2, 3)) / allowed.sum(dim=(0, 2, 3))
