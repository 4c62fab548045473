# right

import torch


def expand_mask(mask, batch, heads):
    q, k = mask.shape[-2:]
    a = {2: lambda: mask.view(1, 1, q, k), 3: lambda: mask.reshape(-1, 1, q, k), 4: lambda: mask}[
        mask.ndim
    ]()
    return a & torch.ones(batch, heads, q, k, dtype=torch.bool, device=mask.device)
