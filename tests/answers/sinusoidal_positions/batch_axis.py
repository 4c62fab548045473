# wrong: returns (1, length, d_model) for a batch, as the tutorials do
# named: with_batch
import math

import torch


def sinusoidal_positions(length, d_model):
    position = torch.arange(length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe = torch.zeros(1, length, d_model)
    pe[0, :, 0::2] = torch.sin(position * div_term)
    pe[0, :, 1::2] = torch.cos(position * div_term)
    return pe
