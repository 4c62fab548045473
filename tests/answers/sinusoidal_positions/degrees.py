# wrong: the angles are taken for degrees
# named: degrees
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    angles = torch.deg2rad(angles)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
