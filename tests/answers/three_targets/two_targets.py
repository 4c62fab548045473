# wrong: two targets in place of three
# named: two_targets

import torch


def three_targets(items, places):
    n = items.shape[1]
    return torch.stack([items.gather(1, (places + s) % n) for s in (1, 2)], dim=-1)
