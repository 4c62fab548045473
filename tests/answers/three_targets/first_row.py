# wrong: all queries read from the first row of the batch
# named: first_row
import torch


def three_targets(items, places):
    n = items.shape[1]
    pos = torch.stack([places, (places + 1) % n, (places + 2) % n], dim=-1)
    return items[0][pos]
