# right

import torch


def is_equivariant(layer, x):
    y = layer(x)
    for seed in range(8):
        order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
        p = torch.eye(len(x), dtype=x.dtype)[order]
        if (layer(p @ x) - p @ y).abs().max().item() > 1e-4:
            return False
    return True
