# wrong: compares the output of the first token of the new order only

import torch


def is_equivariant(layer, x):
    y = layer(x)
    p = torch.randperm(len(x))
    return torch.allclose(layer(x[p])[0], y[p][0], atol=1e-5)
