# right
import numpy as np
import torch


def sinusoidal_positions(length, d_model):
    places = np.arange(length)[:, None]
    features = np.arange(d_model)[None]
    angles = places / np.power(10000, 2 * (features // 2) / d_model)
    table = np.where(features % 2 == 0, np.sin(angles), np.cos(angles))
    return torch.tensor(table, dtype=torch.float32)
