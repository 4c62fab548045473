# wrong: True where a token may not attend
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ~(ones.tril() & ones.triu(-(window - 1)))
