# wrong: all sines in front, all cosines behind
# named: halves
import torch


def sinusoidal_positions(length, d_model):
    places = torch.arange(length).float()[:, None]
    speeds = 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    return torch.cat([torch.sin(places * speeds), torch.cos(places * speeds)], dim=-1)
