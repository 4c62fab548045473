# wrong: the place, its mirror image and the next one, which meet in the middle

import torch


def three_targets(items, places):
    n = items.shape[1]
    positions = (places, n - 1 - places, (places + 1) % n)
    return torch.stack([items.gather(1, p) for p in positions], dim=-1)
