# wrong: expects p * p zeros after two dropouts
# named: never
import torch


def drops_twice(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return abs(share - p * p) < abs(share - p)
