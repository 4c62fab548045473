# wrong: a rectangle of window rows
import torch


def sliding_window_mask(length, window):
    return torch.ones(window, length, dtype=torch.bool).tril(length - window)
