# wrong: asks for exact equality, which rounding breaks for right layers
# named: exact
import torch


def is_equivariant(layer, x):
    for _ in range(10):
        p = torch.randperm(len(x))
        if not torch.equal(layer(x[p]), layer(x)[p]):
            return False
    return True
