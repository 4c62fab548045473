# wrong: counts numbers that are always zero
# named: zeros_of_its_own
import torch


def drops_twice(layer, x, p):
    layer.train()
    lost = torch.stack([layer(x) - x == 0 for _ in range(1 + 600 // x.numel())])
    return bool(lost.double().mean() > (p + 1 - (1 - p) ** 2) / 2)
