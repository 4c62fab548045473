# wrong: a band on both sides, not causal
# named: looks_ahead
import torch


def sliding_window_mask(length, window):
    i = torch.arange(length)
    return (i[:, None] - i[None, :]).abs() < window
