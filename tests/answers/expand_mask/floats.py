# wrong: ones and zeros as floats
# named: dtype
import torch


def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.float() * torch.ones(batch, heads, *mask.shape[-2:])
