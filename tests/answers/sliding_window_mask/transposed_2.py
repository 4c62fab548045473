# wrong: rows and columns are swapped: each token sees itself and the next window - 1
# named: wrong_way

import torch


def sliding_window_mask(length, window):
    i = torch.arange(length)
    gap = i[None, :] - i[:, None]
    return (gap >= 0) & (gap < window)
