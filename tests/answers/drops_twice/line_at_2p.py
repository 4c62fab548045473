# wrong: says twice only from a share of 2p on
# named: never
import torch


def drops_twice(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share >= 2 * p
