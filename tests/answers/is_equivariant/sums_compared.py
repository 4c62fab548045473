# wrong: compares the sums of the outputs only
# named: sums_compared

import torch


def is_equivariant(layer, x):
    order = torch.randperm(len(x))
    return torch.allclose(layer(x[order]).sum(dim=0), layer(x).sum(dim=0), atol=1e-4)
