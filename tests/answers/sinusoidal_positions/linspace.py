# wrong: linspace to the last speed 1/10000, which belongs to a pair that is not there
# named: from_0_to_1
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.linspace(0, 1, d_model // 2))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
