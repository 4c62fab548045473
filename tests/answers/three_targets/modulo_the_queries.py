# wrong: the circle is as long as the number of queries

import torch


def three_targets(items, places):
    n = places.shape[1]
    positions = [((places + s) % n).clamp(max=items.shape[1] - 1) for s in range(3)]
    return torch.stack([items.gather(1, p) for p in positions], dim=-1)
