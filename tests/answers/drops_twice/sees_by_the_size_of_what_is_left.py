# right
import torch


def drops_twice(layer, x, p):
    layer.eval()
    clean = layer(x) - x
    layer.train()
    ratios = []
    for _ in range(1 + 600 // x.numel()):
        update = layer(x) - x
        left = (update != 0) & (clean != 0)
        ratios.append(left[clean != 0].double())
    return bool(torch.cat(ratios).mean() < (1 - p) * (1 - p / 2))
