# wrong: tries only rotations
# named: shift_only

import torch


def is_equivariant(layer, x):
    y = layer(x)
    return all(
        torch.allclose(layer(x.roll(s, 0)), y.roll(s, 0), atol=1e-5) for s in range(1, len(x))
    )
