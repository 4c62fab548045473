# wrong: asks for exact equality, which a sum in another order misses by a rounding
# named: exact

import torch


def is_equivariant(layer, x):
    for _ in range(20):
        p = torch.randperm(len(x))
        if not torch.equal(layer(x[p]), layer(x)[p]):
            return False
    return True
