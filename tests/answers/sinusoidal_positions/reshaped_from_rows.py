# wrong: the cosines are stacked as rows, and reshape mixes up the places
# named: mixed_up
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.cat((angles.sin(), angles.cos())).reshape(length, d_model)
