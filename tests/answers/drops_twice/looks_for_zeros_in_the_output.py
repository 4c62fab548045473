# wrong: counts zeros of layer(x), which holds x
# named: never
import torch


def drops_twice(layer, x, p):
    layer.train()
    runs = 1 + 600 // x.numel()
    share = torch.stack([layer(x) == 0 for _ in range(runs)]).float().mean()
    return bool(share > (p + 1 - (1 - p) ** 2) / 2)
