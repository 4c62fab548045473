# wrong: returns the right shape as float numbers instead of booleans
# named: dtype

import torch


def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return mask * torch.ones(batch, heads, 1, 1)
