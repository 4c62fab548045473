# wrong: a window of 3, whatever window is
# named: three_always
import torch


def sliding_window_mask(length, window):
    i = torch.arange(length)
    return (i[:, None] >= i) & (i[:, None] - i < 3)
