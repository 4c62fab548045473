# wrong: two axes too many, for batch and heads
# named: more_dimensions
import torch


def sliding_window_mask(length, window):
    i = torch.arange(length)
    distance = i[:, None] - i
    return ((distance >= 0) & (distance < window))[None, None]
