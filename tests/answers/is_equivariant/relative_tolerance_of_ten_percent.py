# wrong: a relative tolerance of 10 percent
# named: too_loose

import torch


def is_equivariant(layer, x):
    y = layer(x)
    orders = [torch.randperm(len(x)) for _ in range(10)]
    return all(torch.allclose(layer(x[p]), y[p], rtol=0.1, atol=1e-5) for p in orders)
