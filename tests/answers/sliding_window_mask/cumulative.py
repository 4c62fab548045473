# right

import torch


def sliding_window_mask(length, window):
    out = torch.zeros(length, length, dtype=torch.bool)
    for t in range(length):
        out[t, max(0, t + 1 - window) : t + 1] = True
    return out
