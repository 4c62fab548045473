# wrong: triu(window - 1), the wrong side of the diagonal
# named: wrong_sign
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() & ones.triu(window - 1)
