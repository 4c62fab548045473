# right
import torch


def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return torch.ones(batch, heads, *mask.shape[-2:], dtype=torch.bool) & mask
