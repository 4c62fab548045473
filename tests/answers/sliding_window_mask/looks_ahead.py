# wrong: the next window tokens
# named: wrong_way
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.triu() & ones.tril(window - 1)
