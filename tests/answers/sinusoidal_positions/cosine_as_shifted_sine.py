# right
import math

import torch


def sinusoidal_positions(length, d_model):
    speeds = (10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)).repeat_interleave(2)
    shift = torch.tensor([0, math.pi / 2], dtype=torch.float64).repeat(d_model // 2)
    return torch.sin(torch.arange(length).double()[:, None] * speeds + shift).to(torch.float32)
