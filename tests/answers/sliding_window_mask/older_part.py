# wrong: keeps what the window should hide
import torch


def sliding_window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril(-window)
