# wrong: counts features to which the layer never adds anything as dropped
# named: zeros_of_its_own
import torch


def drops_twice(layer, x, p):
    layer.train()
    zeros = torch.cat([(layer(x) - x == 0).flatten().float() for _ in range(1 + 4000 // x.numel())])
    return bool(zeros.mean() > p + p * (1 - p) / 2)
