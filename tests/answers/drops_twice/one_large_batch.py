# right
import torch


def drops_twice(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    runs = 2 + 800 // x.numel()
    updates = torch.stack([layer(x) - x for _ in range(runs)])
    share = (updates[:, own] == 0).double().mean()
    return bool(share > p + p * (1 - p) / 2)
