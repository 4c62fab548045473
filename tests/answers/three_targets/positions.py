# wrong: returns the positions, not the symbols that stand there
# named: positions
import torch


def three_targets(items, places):
    n = items.shape[1]
    return torch.stack([(places - 1) % n, places, (places + 1) % n], -1).to(items.dtype)
