# wrong: reads the items of row 0 for the whole batch
# named: first_row
import torch


def three_targets(items, places):
    n = items.shape[1]
    return torch.stack([items[0][(places + s) % n] for s in (0, 1, 3)], dim=-1)
