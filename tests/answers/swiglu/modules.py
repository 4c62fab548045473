# right
from torch import nn


def layer(weight):
    linear = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    del linear.weight
    linear.weight = weight
    return linear


def swiglu(x, gate, up, down):
    hidden = nn.SiLU()(layer(gate)(x)) * layer(up)(x)
    return layer(down)(hidden)
