# wrong: returns floating-point symbols
# named: floats
import torch


def three_targets(items, places):
    n = items.shape[1]
    out = torch.zeros(*places.shape, 3)
    for j, s in enumerate((0, 1, 3)):
        out[..., j] = items.gather(1, (places + s) % n)
    return out
