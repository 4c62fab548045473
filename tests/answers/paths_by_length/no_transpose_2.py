# wrong: multiplies by the weights as they are stored
# named: not_transposed
import torch


def paths_by_length(x, weights):
    paths = [x]
    for w in weights:
        through = [p @ w for p in paths]
        paths = [x] + [a + b for a, b in zip(paths[1:] + [torch.zeros_like(x)], through)]
    return torch.stack(paths)
