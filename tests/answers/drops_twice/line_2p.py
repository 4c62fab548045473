# wrong: demands at least twice the share p of zeros, more than two dropouts make
# named: never

import torch


def drops_twice(layer, x, p):
    layer.eval()
    alive = (layer(x) - x) != 0
    layer.train()
    added = torch.stack([layer(x) - x for _ in range(1 + 2000 // x.numel())])
    return bool((added == 0)[:, alive].float().mean() >= 2 * p)
