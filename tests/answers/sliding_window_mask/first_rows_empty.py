# wrong: begins only where a whole window fits
# named: whole_windows_only
import torch


def sliding_window_mask(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(window - 1, length):
        mask[i, i - window + 1 : i + 1] = True
    return mask
