# wrong: True where a token may not attend
# named: inverted
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ~(ones.tril() & ones.triu(-(window - 1)))
