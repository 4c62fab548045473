# wrong: clamps at the ends, so two positions are the same there
# named: clamped

import torch


def three_targets(items, places):
    last = items.shape[1] - 1
    steps = [(places + s).clamp(0, last) for s in (-1, 0, 1)]
    return torch.stack([items.gather(1, p) for p in steps], dim=-1)
