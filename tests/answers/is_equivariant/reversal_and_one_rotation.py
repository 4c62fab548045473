# wrong: tries the order reversed and one rotation, which an average in a circle survives
# named: reversal_and_shift

import torch


def is_equivariant(layer, x):
    y = layer(x)
    reverse = torch.allclose(layer(x.flip(0)), y.flip(0), atol=1e-5)
    rotate = torch.allclose(layer(x.roll(1, 0)), y.roll(1, 0), atol=1e-5)
    return reverse and rotate
