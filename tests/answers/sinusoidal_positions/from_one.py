# wrong: the places are counted from 1
# named: from_one
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(1, length + 1).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
