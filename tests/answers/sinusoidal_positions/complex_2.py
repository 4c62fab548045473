# right
import torch


def sinusoidal_positions(length, d_model):
    rate = torch.logspace(0, -4, d_model // 2 + 1, dtype=torch.float64)[:-1]
    angles = torch.arange(length, dtype=torch.float64)[:, None] * rate
    turned = torch.view_as_real(torch.polar(torch.ones_like(angles), angles))
    return turned.flip(-1).reshape(length, d_model).float()
