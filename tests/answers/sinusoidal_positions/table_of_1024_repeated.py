# wrong: places are taken modulo 1024
# named: places_repeat
import torch


def sinusoidal_positions(length, d_model):
    places = (torch.arange(length) % 1024).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
