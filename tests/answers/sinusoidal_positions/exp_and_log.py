# right
import math

import torch


def sinusoidal_positions(length, d_model):
    table = torch.empty(length, d_model)
    places = torch.arange(length).unsqueeze(1)
    speeds = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(places * speeds)
    table[:, 1::2] = torch.cos(places * speeds)
    return table
