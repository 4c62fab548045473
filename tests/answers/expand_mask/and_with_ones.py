# right
import torch


def expand_mask(mask, batch, heads):
    if mask.ndim == 3:
        mask = mask[:, None]
    return torch.ones((batch, heads, 1, 1), dtype=torch.bool, device=mask.device) & mask
