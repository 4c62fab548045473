# right

import torch


def drops_twice(layer, x, p):
    with torch.no_grad():
        layer.eval()
        alive = (layer(x) - x).abs() > 0
        layer.train()
        kept = total = 0
        while total < 4000:
            kept += int((((layer(x) - x) != 0) & alive).sum())
            total += int(alive.sum())
    return abs(kept / total - (1 - p) ** 2) < abs(kept / total - (1 - p))
