# wrong: all pairs turn at speed 1
# named: one_speed
import torch


def sinusoidal_positions(length, d_model):
    angles = torch.arange(length).float()[:, None].expand(length, d_model // 2)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
