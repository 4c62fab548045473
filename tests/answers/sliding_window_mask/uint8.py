# wrong: returns whole numbers (uint8), not booleans
# named: dtype
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.uint8)
    return ones.tril() * ones.triu(1 - window)
