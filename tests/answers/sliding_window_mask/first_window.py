# wrong: every token sees the first window tokens of the text
# named: first_keys
import torch


def sliding_window_mask(length, window):
    mask = torch.ones(length, length, dtype=torch.bool).tril()
    mask[:, window:] = False
    return mask
