# right
import torch


def add_learned(x, table, offset):
    return torch.stack([x[:, t] + table[offset + t] for t in range(x.shape[1])], dim=1)
