# wrong: the baseline spreads over all keys, allowed or not
# named: baseline_without_mask
import torch


def near_share(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = ((i[:, None] - i).abs() <= width).to(weights.dtype)
    found = (weights * near).sum(-1).mean(dim=(0, 2))
    return found, near.mean().expand(weights.shape[1])
