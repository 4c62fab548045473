# right
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() ^ ones.tril(-window)
