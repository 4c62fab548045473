# wrong: manual_seed(0) inside the counting loop, so every run drops the same places
# named: one_run
import torch


def drops_twice(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    shares = []
    for _ in range(1 + 600 // x.numel()):
        torch.manual_seed(0)
        shares.append((layer(x) - x == 0)[own].double().mean())
    share = torch.stack(shares).mean()
    return bool(share > (p + 1 - (1 - p) ** 2) / 2)
