# wrong: tries it on tokens that are all the same

import torch


def is_equivariant(layer, x):
    same = torch.ones_like(x)
    p = torch.randperm(len(x))
    return torch.allclose(layer(same[p]), layer(same)[p], atol=1e-5)
