# wrong: a learned table of random numbers instead of waves
# named: varies
from torch import nn


def sinusoidal_positions(length, d_model):
    return nn.Embedding(length, d_model).weight.detach()
