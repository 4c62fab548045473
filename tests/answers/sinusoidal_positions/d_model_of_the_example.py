# wrong: the exponent is divided by 64, the d_model of an example
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / 64)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
