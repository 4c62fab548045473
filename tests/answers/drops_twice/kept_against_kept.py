# right
import torch


def drops_twice(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    with torch.no_grad():
        kept = [((layer(x) - x)[own] != 0).float() for _ in range(1 + 600 // x.numel())]
    share = torch.cat(kept).mean().item()
    return share < ((1 - p) + (1 - p) ** 2) / 2
