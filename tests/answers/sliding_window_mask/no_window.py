# wrong: the causal mask alone
# named: no_window
import torch


def sliding_window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril()
