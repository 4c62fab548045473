# wrong: the window is symmetric, so later tokens are visible too
# named: looks_ahead

import torch


def sliding_window_mask(length, window):
    i = torch.arange(length)
    return (i[:, None] - i[None, :]).abs() < window
