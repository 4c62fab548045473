# wrong: tries the order that leaves everything in place
# named: accepts_everything

import torch


def is_equivariant(layer, x):
    order = torch.arange(len(x))
    return torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)
