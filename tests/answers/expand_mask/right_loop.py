# right
import torch


def expand_mask(mask, batch, heads):
    full = torch.zeros(batch, heads, *mask.shape[-2:], dtype=torch.bool)
    for b in range(batch):
        for h in range(heads):
            if mask.dim() == 2:
                full[b, h] = mask
            elif mask.dim() == 3:
                full[b, h] = mask[b]
            else:
                full[b, h] = mask[b % mask.shape[0], h % mask.shape[1]]
    return full
