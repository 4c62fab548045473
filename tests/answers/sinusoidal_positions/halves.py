# wrong: all sines first, then all cosines, instead of side by side
# named: halves

import torch


def sinusoidal_positions(length, d_model):
    w = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
    a = torch.arange(length)[:, None] * w
    return torch.cat([a.sin(), a.cos()], dim=-1)
