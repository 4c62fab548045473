# wrong: (1, length, d_model) as in many tutorials
# named: with_batch
import math

import torch


def sinusoidal_positions(length, d_model):
    table = torch.zeros(length, d_model)
    places = torch.arange(length).float().unsqueeze(1)
    speeds = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(places * speeds)
    table[:, 1::2] = torch.cos(places * speeds)
    return table.unsqueeze(0)
