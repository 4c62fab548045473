# wrong: returns True if any one of the tried orders agrees

import torch


def is_equivariant(layer, x):
    y = layer(x)
    n = x.shape[0]
    orders = [torch.arange(n).flip(0)] + [torch.randperm(n) for _ in range(20)]
    return any(torch.allclose(layer(x[p]), y[p], atol=1e-5) for p in orders)
