# wrong: ones and zeros as integers
# named: dtype
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.int64)
    return ones.tril() & ones.triu(1 - window)
