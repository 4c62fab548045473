# wrong: takes 2 p for the share after two dropouts and draws the line at 1.5 p
# named: adds_probabilities
import torch


def drops_twice(layer, x, p):
    alive = layer.eval()(x) - x != 0
    layer.train()
    zeros = torch.cat([(layer(x) - x == 0)[alive].float() for _ in range(1 + 4000 // x.numel())])
    return bool(zeros.mean() > 1.5 * p)
