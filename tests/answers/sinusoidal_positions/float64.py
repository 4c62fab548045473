# wrong: the table is float64
# named: dtype
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length, dtype=torch.float64)[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).double() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
