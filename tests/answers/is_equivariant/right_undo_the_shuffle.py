# right

import torch


def is_equivariant(layer, x):
    y = layer(x.clone())
    for _ in range(12):
        p = torch.randperm(x.shape[0])
        back = torch.empty_like(y)
        back[p] = layer(x[p].clone())
        if not torch.allclose(back, y, rtol=1e-4, atol=1e-4):
            return False
    return True
