# right
import torch


def expand_mask(mask, batch, heads):
    q, k = mask.shape[-2:]
    if mask.dim() == 3:
        return mask.repeat_interleave(heads, dim=0).view(batch, heads, q, k)
    return torch.broadcast_to(mask, (batch, heads, q, k))
