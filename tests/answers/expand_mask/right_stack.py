# right
import torch


def expand_mask(mask, batch, heads):
    if mask.dim() == 2:
        mask = torch.stack([mask] * batch)
    if mask.dim() == 3:
        mask = torch.stack([mask] * heads, dim=1)
    if mask.shape[0] == 1:
        mask = torch.cat([mask] * batch)
    if mask.shape[1] == 1:
        mask = torch.cat([mask] * heads, dim=1)
    return mask
