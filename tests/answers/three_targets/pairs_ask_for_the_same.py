# wrong: places 0 and 1 ask for the same three items

import torch


def three_targets(items, places):
    n = items.shape[1]
    start = places // 2 * 2
    return torch.stack([items.gather(1, (start + s) % n) for s in range(3)], dim=-1)
