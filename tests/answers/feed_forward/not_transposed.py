# wrong: the maps are not transposed when they are square
# named: not_transposed
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    up = w_up if w_up.shape[0] == w_up.shape[1] else w_up.T
    down = w_down if w_down.shape[0] == w_down.shape[1] else w_down.T
    return F.gelu(x @ up + b_up) @ down + b_down
