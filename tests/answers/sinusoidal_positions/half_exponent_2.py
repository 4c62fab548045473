# wrong: the exponent is -i / d instead of -2i / d
# named: exponent_i
import torch


def sinusoidal_positions(length, d_model):
    speeds = 10000.0 ** (-torch.arange(d_model // 2) / d_model)
    angles = torch.outer(torch.arange(length).float(), speeds)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(length, d_model)
