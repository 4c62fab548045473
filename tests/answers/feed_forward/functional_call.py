# right
import torch
from torch import nn


def feed_forward(x, w_up, b_up, w_down, b_down):
    d_ff, d_model = w_up.shape
    network = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
    given = {"0.weight": w_up, "0.bias": b_up, "2.weight": w_down, "2.bias": b_down}
    return torch.func.functional_call(network, given, (x,))
