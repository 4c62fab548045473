# wrong: both biases are left out
# named: no_biases
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T) @ w_down.T
