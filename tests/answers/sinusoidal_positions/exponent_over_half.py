# wrong: the exponent is divided by the number of pairs less one
# named: from_0_to_1
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    pairs = torch.arange(d_model // 2).float() / max(d_model // 2 - 1, 1)
    angles = places * 10000**-pairs
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
