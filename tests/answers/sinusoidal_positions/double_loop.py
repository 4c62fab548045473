# right
import math

import torch


def sinusoidal_positions(length, d_model):
    table = torch.zeros(length, d_model)
    for p in range(length):
        for i in range(d_model // 2):
            angle = p * 10000 ** (-2 * i / d_model)
            table[p, 2 * i] = math.sin(angle)
            table[p, 2 * i + 1] = math.cos(angle)
    return table
