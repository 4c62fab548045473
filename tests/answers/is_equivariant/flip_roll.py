# wrong: tries only the reversed order and one rotation, two structured orders that sly layers can survive
# named: reversal_and_shift

import torch


def is_equivariant(layer, x):
    y = layer(x)
    for f in (lambda t: t.flip(0), lambda t: t.roll(1, 0)):
        if not torch.allclose(layer(f(x)), f(y), atol=1e-5):
            return False
    return True
