# wrong: (2 width + 1) / length
# named: baseline_without_edges
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    return found, torch.full_like(found, (2 * width + 1) / n)
