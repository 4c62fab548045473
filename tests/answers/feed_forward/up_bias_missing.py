# wrong: b_up is left out
# named: no_b_up
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T) @ w_down.T + b_down
