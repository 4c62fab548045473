# wrong: i instead of 2i in the exponent, so the speeds fall half as fast
# named: exponent_i
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(d_model // 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
