# wrong: window - 1 tokens with itself
# named: one_too_few
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() & ones.triu(-(window - 2))
