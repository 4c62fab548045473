# wrong: counts as dropped also the numbers that are 0 without dropout
# named: zeros_of_its_own

import torch


def drops_twice(layer, x, p):
    layer.train()
    added = torch.cat([(layer(x) - x).flatten() for _ in range(1 + 2000 // x.numel())])
    share = (added == 0).float().mean().item()
    return share > (p + 1 - (1 - p) ** 2) / 2
