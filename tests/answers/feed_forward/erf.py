# right
import math

import torch


def feed_forward(x, w_up, b_up, w_down, b_down):
    h = torch.einsum("...d,fd->...f", x, w_up) + b_up
    h = h * (1 + torch.erf(h / math.sqrt(2))) / 2
    return torch.einsum("...f,df->...d", h, w_down) + b_down
