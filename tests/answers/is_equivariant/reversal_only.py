# wrong: tries the order reversed and no other
# named: reversal_only

import torch


def is_equivariant(layer, x):
    return torch.allclose(layer(x.flip(0)), layer(x).flip(0), atol=1e-5)
