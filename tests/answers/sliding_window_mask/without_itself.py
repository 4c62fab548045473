# wrong: the window tokens before, not itself
# named: without_itself
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril(-1) & ones.triu(-window)
