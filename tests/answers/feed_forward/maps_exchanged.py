# wrong: w_down is used on the way up and w_up on the way down
# named: maps_exchanged
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_down + b_up) @ w_up + b_down
