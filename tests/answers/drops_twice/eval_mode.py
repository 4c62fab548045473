# wrong: does not put the layer in train mode, so a layer that comes in eval mode drops nothing

import torch


def drops_twice(layer, x, p):
    added = torch.cat([(layer(x) - x).flatten() for _ in range(1 + 2000 // x.numel())])
    share = (added == 0).float().mean().item()
    return share > (p + 1 - (1 - p) ** 2) / 2
