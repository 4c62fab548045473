# wrong: shuffles the output by the inverse order (argsort) instead of the same order
# named: wrong_side

import torch


def is_equivariant(layer, x):
    g = torch.Generator().manual_seed(1)
    y = layer(x)
    for _ in range(10):
        p = torch.randperm(len(x), generator=g)
        if not torch.allclose(layer(x[p]), y[torch.argsort(p)], atol=1e-5):
            return False
    return True
