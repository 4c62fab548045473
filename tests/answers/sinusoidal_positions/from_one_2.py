# wrong: counts the places from 1
# named: from_one
import torch


def sinusoidal_positions(length, d_model):
    angles = torch.arange(1, length + 1)[:, None] * 10000.0 ** (
        -torch.arange(0, d_model, 2) / d_model
    )
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
