# wrong: the angles are computed in half precision, which cannot count beyond 2048
# named: too_coarse
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).half()[:, None]
    angles = places * (10000 ** (-torch.arange(0, d_model, 2).float() / d_model)).half()
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).float()
