# wrong: only swaps the first two tokens
# named: two_exchanged

import torch


def is_equivariant(layer, x):
    order = torch.arange(len(x))
    order[0], order[1] = 1, 0
    return torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)
