# wrong: compares the layer with itself on the same shuffled input
# named: accepts_everything

import torch


def is_equivariant(layer, x):
    p = torch.randperm(len(x))
    return torch.allclose(layer(x[p]), layer(x[p]), atol=1e-5)
