# wrong: any() where all() is meant, and the identity is among the orders
# named: accepts_everything

import torch


def is_equivariant(layer, x):
    y = layer(x)
    orders = [torch.arange(len(x))] + [torch.randperm(len(x)) for _ in range(5)]
    return any(torch.allclose(layer(x[p]), y[p], atol=1e-5) for p in orders)
