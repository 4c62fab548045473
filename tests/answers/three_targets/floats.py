# wrong: returns floating-point numbers
# named: floats

import torch


def three_targets(items, places):
    n = items.shape[1]
    out = torch.zeros(*places.shape, 3)
    for j, step in enumerate((-1, 0, 1)):
        out[..., j] = items.gather(1, (places + step) % n)
    return out
