# wrong: compares the mean of the update in train and in eval mode
# named: never
import torch


def drops_twice(layer, x, p):
    layer.eval()
    clean = (layer(x) - x).abs().mean()
    layer.train()
    runs = 1 + 600 // x.numel()
    noisy = torch.stack([(layer(x) - x).abs().mean() for _ in range(runs)]).mean()
    return bool(noisy < clean * (1 - p))
