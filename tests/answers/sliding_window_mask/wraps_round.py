# wrong: rolls, so that the first tokens see the last ones
# named: wrapped
import torch


def sliding_window_mask(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for back in range(window):
        mask |= torch.eye(length, dtype=torch.bool).roll(-back, dims=1)
    return mask
