# wrong: looks at the mean of the signed differences, which cancel
# named: sums_compared

import torch


def is_equivariant(layer, x):
    y = layer(x)
    for _ in range(10):
        p = torch.randperm(len(x))
        if abs((layer(x[p]) - y[p]).mean().item()) > 1e-5:
            return False
    return True
