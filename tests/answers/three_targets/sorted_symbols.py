# wrong: sorts the three symbols, so a target's position depends on the symbols
# named: sorted

import torch


def three_targets(items, places):
    n = items.shape[1]
    found = torch.stack([items.gather(1, (places + s) % n) for s in range(3)], dim=-1)
    return found.sort(dim=-1).values
