# wrong: every feature has a speed of its own, 10000^(-j / d), so sine and cosine of a pair differ
# named: own_speed
import torch


def sinusoidal_positions(length, d_model):
    j = torch.arange(d_model)
    angles = torch.arange(length)[:, None] * 10000.0 ** (-j / d_model)
    return torch.where(j % 2 == 0, angles.sin(), angles.cos())
