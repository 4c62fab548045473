# right
import torch


def sinusoidal_positions(length, d_model):
    speeds = 10000 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angles = torch.outer(torch.arange(length, dtype=torch.float64), speeds)
    turned = torch.view_as_real(torch.polar(torch.ones_like(angles), angles))
    return turned.flip(-1).reshape(length, d_model).float()
