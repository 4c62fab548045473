# wrong: goes round after the number of queries instead of the number of items
import torch


def three_targets(items, places):
    n = places.shape[1]
    picks = [items.gather(1, (places + s) % n) for s in (0, 1, 2)]
    return torch.stack(picks, dim=-1)
