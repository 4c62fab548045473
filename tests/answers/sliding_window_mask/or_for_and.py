# wrong: | in place of &
# named: or_for_and
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() | ones.triu(1 - window)
