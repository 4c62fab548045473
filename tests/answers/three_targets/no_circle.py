# wrong: place, next, next but one without a modulo, which fails at the end of the row

import torch


def three_targets(items, places):
    return torch.stack([items.gather(1, places + s) for s in range(3)], dim=-1)
