# wrong: the tanh approximation of gelu instead of the exact one
# named: tanh_approximation

from torch import nn


def feed_forward(x, w_up, b_up, w_down, b_down):
    h = nn.functional.linear(x, w_up, b_up)
    return nn.functional.linear(nn.functional.gelu(h, approximate="tanh"), w_down, b_down)
