# wrong: every feature has its own speed, 10000^(-j/d), so sine and cosine of a pair do not share one
# named: own_speed

import torch


def sinusoidal_positions(length, d_model):
    j = torch.arange(d_model)
    a = torch.arange(length)[:, None] * 10000.0 ** (-j / d_model)
    return torch.where(j % 2 == 0, a.sin(), a.cos())
