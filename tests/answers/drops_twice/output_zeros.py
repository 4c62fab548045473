# wrong: counts zeros in the output itself, to which x has been added
# named: never
import torch


def drops_twice(layer, x, p):
    layer.train()
    zeros = torch.cat([(layer(x) == 0).flatten().float() for _ in range(1 + 2000 // x.numel())])
    return bool(zeros.mean() > p + p * (1 - p) / 2)
