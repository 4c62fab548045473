# wrong: leaky relu instead of gelu
# named: leaky_relu
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.leaky_relu(x @ w_up.T + b_up) @ w_down.T + b_down
