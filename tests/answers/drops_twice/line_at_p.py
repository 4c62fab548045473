# wrong: draws the line at p itself, which a single dropout exceeds half of the time
# named: more_than_p
import torch


def drops_twice(layer, x, p):
    alive = layer.eval()(x) - x != 0
    layer.train()
    zeros = torch.cat([(layer(x) - x == 0)[alive].float() for _ in range(1 + 2000 // x.numel())])
    return bool(zeros.mean() > p)
