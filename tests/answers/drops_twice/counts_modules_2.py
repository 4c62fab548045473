# wrong: counts the nn.Dropout modules that the layer holds
# named: counts_modules
from torch import nn


def drops_twice(layer, x, p):
    return sum(isinstance(m, nn.Dropout) for m in layer.modules()) > 1
