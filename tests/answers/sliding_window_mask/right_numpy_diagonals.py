# right
import numpy as np
import torch


def sliding_window_mask(length, window):
    mask = np.zeros((length, length), dtype=bool)
    for back in range(min(window, length)):
        mask |= np.eye(length, k=-back, dtype=bool)
    return torch.from_numpy(mask)
