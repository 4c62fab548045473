# wrong: | in place of &
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() | ones.triu(1 - window)
