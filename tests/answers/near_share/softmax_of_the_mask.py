# right
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = ((places[:, None] - places).abs() <= width).to(weights.dtype)
    zeros = torch.zeros_like(weights).masked_fill(~mask, -torch.inf)
    both = torch.stack([weights, zeros.softmax(dim=-1)])
    found, baseline = torch.einsum("sbhqk,qk->sh", both, near) / (weights.shape[0] * n)
    return found, baseline
