# wrong: a second gelu at the end
# named: activation_twice

from torch import nn


def feed_forward(x, w_up, b_up, w_down, b_down):
    g = nn.GELU()
    return g(g(x @ w_up.T + b_up) @ w_down.T + b_down)
