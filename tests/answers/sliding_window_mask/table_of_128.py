# wrong: cuts the mask out of a table of 128 by 128
# named: from_a_table
import torch


def sliding_window_mask(length, window):
    i = torch.arange(128)
    table = (i[:, None] >= i) & (i[:, None] - i < window)
    return table[:length, :length]
