# wrong: sine and cosine of a pair have different speeds
# named: own_speed
import torch


def sinusoidal_positions(length, d_model):
    angles = torch.arange(length).float()[:, None] * 10000 ** (-torch.arange(d_model) / d_model)
    table = angles.sin()
    table[:, 1::2] = angles.cos()[:, 1::2]
    return table
