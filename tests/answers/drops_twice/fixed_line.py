# wrong: a line that fits p = 0.1 only
# named: fixed_line
import torch


def drops_twice(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share > 0.15
