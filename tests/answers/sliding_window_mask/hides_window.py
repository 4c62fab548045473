# wrong: hides the last window tokens and shows the older ones
# named: older_part
import torch


def sliding_window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril(-window)
