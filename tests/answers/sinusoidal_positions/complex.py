# right

import torch


def sinusoidal_positions(length, d_model):
    speed = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angle = torch.outer(torch.arange(length, dtype=torch.float64), speed)
    z = torch.view_as_real(torch.polar(torch.ones_like(angle), angle))
    return z.flip(-1).reshape(length, d_model).float()
