# wrong: the last window keys of the whole text, for every token
# named: last_keys
import torch


def sliding_window_mask(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() & (torch.arange(length) >= length - window)
