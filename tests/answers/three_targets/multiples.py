# wrong: p, 2p and 3p modulo the length, all 0 for place 0

import torch


def three_targets(items, places):
    n = items.shape[1]
    return torch.stack([items.gather(1, places * k % n) for k in (1, 2, 3)], dim=-1)
