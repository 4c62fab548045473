# wrong: uses the mirrored place as third rule, which coincides with the place in the middle of an odd row
import torch


def three_targets(items, places):
    n = items.shape[1]
    pos = torch.stack([places, (places + 1) % n, n - 1 - places], dim=-1)
    rows = torch.arange(len(items))[:, None, None]
    return items[rows, pos]
