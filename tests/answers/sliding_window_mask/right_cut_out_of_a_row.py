# right
import torch


def sliding_window_mask(length, window):
    row = [window > back >= 0 for back in range(length - 1, -length, -1)]
    return torch.tensor([row[length - 1 - i :][:length] for i in range(length)])
