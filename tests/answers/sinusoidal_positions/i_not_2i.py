# wrong: the exponent is i / d instead of 2i / d
# named: exponent_i

import torch


def sinusoidal_positions(length, d_model):
    i = torch.arange(d_model // 2).float()
    a = torch.arange(length)[:, None] * 10000 ** (-i / d_model)
    return torch.stack([a.sin(), a.cos()], -1).flatten(-2)
