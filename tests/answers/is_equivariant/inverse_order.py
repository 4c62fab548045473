# wrong: puts the output into the inverse order
# named: wrong_side

import torch


def is_equivariant(layer, x):
    for _ in range(10):
        order = torch.randperm(len(x))
        if not torch.allclose(layer(x[order]), layer(x)[order.argsort()], atol=1e-5):
            return False
    return True
