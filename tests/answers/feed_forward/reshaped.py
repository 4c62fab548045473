# wrong: reshape in the place of the transpose
# named: reshaped
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    up = w_up.reshape(w_up.shape[1], w_up.shape[0])
    down = w_down.reshape(w_down.shape[1], w_down.shape[0])
    return F.gelu(x @ up + b_up) @ down + b_down
