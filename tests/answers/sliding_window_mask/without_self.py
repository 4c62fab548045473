# wrong: the last `window` tokens without itself
# named: without_itself

import torch


def sliding_window_mask(length, window):
    i = torch.arange(length)
    gap = i[:, None] - i[None, :]
    return (gap > 0) & (gap <= window)
