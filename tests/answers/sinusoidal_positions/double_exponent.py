# wrong: the 2 of 2i counts twice
# named: twice_as_far
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    i = torch.arange(0, d_model, 2).float()
    angles = places * 10000 ** (-2 * i / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
