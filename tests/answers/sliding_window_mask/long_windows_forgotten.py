# wrong: rows that begin at a negative place are cut from the end
# named: negative_start
import torch


def sliding_window_mask(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        mask[i, i - window + 1 : i + 1] = True
    return mask
