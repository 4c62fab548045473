# wrong: the angles are multiplied by 2 pi
# named: whole_turns
import math

import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = 2 * math.pi * places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
