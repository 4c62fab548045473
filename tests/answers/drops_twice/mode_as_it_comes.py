# wrong: does not switch to train mode
import torch


def drops_twice(layer, x, p):
    zeros = torch.cat([(layer(x) - x == 0).flatten().float() for _ in range(1 + 2000 // x.numel())])
    return bool(zeros.mean() > p + p * (1 - p) / 2)
