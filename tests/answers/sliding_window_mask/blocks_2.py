# wrong: cuts the text into blocks of window tokens instead of sliding
# named: blocks

import torch


def sliding_window_mask(length, window):
    i = torch.arange(length)
    return (i[:, None] // window == i[None, :] // window) & (i[:, None] >= i)
