# wrong: b_up is added after the gelu instead of before it
# named: bias_after_activation

from torch import nn


def feed_forward(x, w_up, b_up, w_down, b_down):
    return (nn.functional.gelu(x @ w_up.T) + b_up) @ w_down.T + b_down
