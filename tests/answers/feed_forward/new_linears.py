# wrong: nn.Linear layers are built from copies, so the weights that are given do not learn
import torch
import torch.nn.functional as F
from torch import nn


def feed_forward(x, w_up, b_up, w_down, b_down):
    up, down = nn.Linear(*w_up.T.shape), nn.Linear(*w_down.T.shape)
    with torch.no_grad():
        up.weight.copy_(w_up), up.bias.copy_(b_up)
        down.weight.copy_(w_down), down.bias.copy_(b_down)
    return down(F.gelu(up(x)))
