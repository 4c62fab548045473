# wrong: tries only the swap of the first two tokens
# named: two_exchanged
import torch


def is_equivariant(layer, x):
    p = torch.arange(x.shape[0])
    p[0], p[1] = 1, 0
    return torch.allclose(layer(x[p]), layer(x)[p], atol=1e-5)
