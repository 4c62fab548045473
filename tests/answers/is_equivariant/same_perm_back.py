# wrong: undoes the shuffle with the same order instead of its inverse
# named: wrong_side
import torch


def is_equivariant(layer, x):
    for _ in range(10):
        p = torch.randperm(len(x))
        if not torch.allclose(layer(x[p])[p], layer(x), atol=1e-5):
            return False
    return True
