# wrong: b_down is left out
# named: no_b_down
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up) @ w_down.T
