# wrong: all sines first, then all cosines
# named: halves
import torch


def sinusoidal_positions(length, d_model):
    speeds = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(length)[:, None] * speeds
    return torch.cat((angles.sin(), angles.cos()), dim=-1)
