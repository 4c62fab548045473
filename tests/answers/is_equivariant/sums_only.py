# wrong: compares only the sums over the tokens
# named: sums_compared
import torch


def is_equivariant(layer, x):
    p = torch.randperm(len(x))
    return torch.allclose(layer(x[p]).sum(0), layer(x).sum(0), atol=1e-4)
