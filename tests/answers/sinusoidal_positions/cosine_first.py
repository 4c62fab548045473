# wrong: the cosine stands in the even features
# named: cosine_first
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.cos(), angles.sin()), dim=-1).flatten(-2)
