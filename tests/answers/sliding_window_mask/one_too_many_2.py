# wrong: lets a token see window others besides itself
# named: one_too_many
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() & ones.triu(-window)
