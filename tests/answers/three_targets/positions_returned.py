# wrong: returns the positions instead of the symbols
# named: positions

import torch


def three_targets(items, places):
    n = items.shape[1]
    return torch.stack([places, (places + 1) % n, (places + 2) % n], dim=-1).to(items.dtype)
