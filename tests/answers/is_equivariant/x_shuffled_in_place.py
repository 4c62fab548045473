# wrong: shuffles the caller's x in place
# named: changes_input

import torch


def is_equivariant(layer, x):
    y = layer(x)
    p = torch.randperm(len(x))
    x[:] = x[p]
    return torch.allclose(layer(x), y[p], atol=1e-5)
