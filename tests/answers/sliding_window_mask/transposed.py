# wrong: a row for each key
# named: wrong_way
import torch


def sliding_window_mask(length, window):
    i = torch.arange(length)
    distance = i[None, :] - i[:, None]
    return (distance >= 0) & (distance < window)
