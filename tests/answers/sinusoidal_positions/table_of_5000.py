# wrong: a table of 5000 places, which is cut
# named: table_ends
import torch

_MAX = 5000


def sinusoidal_positions(length, d_model):
    places = torch.arange(_MAX).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)[:length]
