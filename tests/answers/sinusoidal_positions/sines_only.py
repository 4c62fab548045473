# wrong: a sine in both features of each pair
# named: sine_only
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    angles = places * 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return angles.sin().repeat_interleave(2, dim=-1)
