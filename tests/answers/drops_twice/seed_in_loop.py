# wrong: seeds before every call, so that all calls drop the same numbers
# named: one_run
import torch


def drops_twice(layer, x, p):
    alive = layer.eval()(x) - x != 0
    layer.train()
    zeros = []
    for _ in range(1 + 4000 // x.numel()):
        torch.manual_seed(0)
        zeros.append((layer(x) - x == 0)[alive].float())
    return bool(torch.cat(zeros).mean() > p + p * (1 - p) / 2)
