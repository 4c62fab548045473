# wrong: // in the exponent, which makes all exponents 0
# named: one_speed
import torch


def sinusoidal_positions(length, d_model):
    angles = torch.arange(length).float()[:, None] * 10000.0 ** -(
        torch.arange(0, d_model, 2) // d_model
    )
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
