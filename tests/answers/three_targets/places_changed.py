# wrong: counts the caller's places up in place
# named: changes_input

import torch


def three_targets(items, places):
    n = items.shape[1]
    found = []
    for _ in range(3):
        found.append(items.gather(1, places))
        places += 1
        places %= n
    return torch.stack(found, dim=-1)
