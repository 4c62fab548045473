# wrong: the causal mask alone
import torch


def sliding_window_mask(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril()
