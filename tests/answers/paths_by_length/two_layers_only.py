# wrong: the four paths of two layers written out
import torch


def paths_by_length(x, weights):
    if len(weights) == 0:
        return x[None]
    if len(weights) == 1:
        return torch.stack([x, x @ weights[0].T])
    a, b = x @ weights[0].T, x @ weights[1].T
    return torch.stack([x, a + b, a @ weights[1].T] + [torch.zeros_like(x)] * (len(weights) - 2))
