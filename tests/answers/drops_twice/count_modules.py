# wrong: counts the Dropout modules, which do not say how they are used
# named: counts_modules

from torch import nn


def drops_twice(layer, x, p):
    return sum(isinstance(m, nn.Dropout) for m in layer.modules()) > 1
