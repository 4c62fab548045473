# wrong: divides the exponent with //, so that all speeds are 1
# named: one_speed
import torch


def sinusoidal_positions(length, d_model):
    speeds = 10000.0 ** -(torch.arange(0, d_model, 2) // d_model)
    pe = torch.zeros(length, d_model)
    angles = torch.arange(length)[:, None] * speeds
    pe[:, 0::2] = angles.sin()
    pe[:, 1::2] = angles.cos()
    return pe
