# wrong: the loop stops before the last pair, which stays 0
# named: last_pair_missing
import math

import torch


def sinusoidal_positions(length, d_model):
    table = torch.zeros(length, d_model)
    for p in range(length):
        for i in range(0, max(d_model - 2, 2), 2):
            table[p, i] = math.sin(p / 10000 ** (i / d_model))
            table[p, i + 1] = math.cos(p / 10000 ** (i / d_model))
    return table
