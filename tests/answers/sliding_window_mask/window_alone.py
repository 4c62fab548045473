# wrong: the older edge alone, the future stays open
# named: not_causal
import torch


def sliding_window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).triu(1 - window)
