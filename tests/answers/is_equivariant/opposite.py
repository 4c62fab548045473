# wrong: returns True for layers that are not equivariant
# named: turned_round

import torch


def is_equivariant(layer, x):
    p = torch.randperm(len(x))
    return not torch.allclose(layer(x[p]), layer(x)[p], atol=1e-5)
