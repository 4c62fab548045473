# wrong: counts the Dropout modules
# named: counts_modules
from torch import nn


def drops_twice(layer, x, p):
    return len([m for m in layer.modules() if isinstance(m, nn.Dropout)]) >= 2
