# wrong: ones and zeros as floats
# named: dtype
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length)
    return ones.tril() * ones.triu(1 - window)
