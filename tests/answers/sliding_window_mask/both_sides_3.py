# wrong: sees window - 1 tokens ahead as well
# named: looks_ahead
import torch


def sliding_window_mask(length, window):
    i = torch.arange(length)
    return (i[:, None] - i).abs() < window
