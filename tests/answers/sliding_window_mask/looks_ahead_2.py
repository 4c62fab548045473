# wrong: the window lies ahead of the token
# named: wrong_way
import torch


def sliding_window_mask(length, window):
    d = torch.arange(length) - torch.arange(length)[:, None]
    return (d >= 0) & (d < window)
