# wrong: silu instead of gelu
# named: silu
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.silu(x @ w_up.T + b_up) @ w_down.T + b_down
