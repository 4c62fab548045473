# wrong: a tolerance of 0.5 calls layers equivariant that are not
# named: too_loose

import torch


def is_equivariant(layer, x):
    y = layer(x)
    for _ in range(10):
        p = torch.randperm(len(x))
        if not torch.allclose(layer(x[p]), y[p], atol=0.5):
            return False
    return True
