# wrong: a tolerance of 1
# named: too_loose

import torch


def is_equivariant(layer, x):
    y = layer(x)
    for _ in range(20):
        p = torch.randperm(len(x))
        if not torch.allclose(layer(x[p]), y[p], atol=1.0):
            return False
    return True
