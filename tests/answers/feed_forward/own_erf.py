# right
import math

import torch


def feed_forward(x, w_up, b_up, w_down, b_down):
    h = torch.einsum("...m,fm->...f", x, w_up) + b_up
    h = h * 0.5 * torch.erfc(-h / math.sqrt(2))
    return torch.einsum("...f,mf->...m", h, w_down) + b_down
