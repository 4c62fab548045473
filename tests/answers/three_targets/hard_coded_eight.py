# wrong: assumes that there are 8 items in a row
import torch


def three_targets(items, places):
    picks = [items.gather(1, (places + s) % 8) for s in (-1, 0, 1)]
    return torch.stack(picks, dim=-1)
