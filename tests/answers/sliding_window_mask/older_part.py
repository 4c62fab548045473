# wrong: keeps what the window should hide
# named: older_part
import torch


def sliding_window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril(-window)
