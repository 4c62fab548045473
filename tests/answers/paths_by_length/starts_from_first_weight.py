# wrong: begins with weights[0], which does not exist when there are no layers
import torch


def paths_by_length(x, weights):
    paths = [x, x @ weights[0].T]
    for w in weights[1:]:
        through = [p @ w.T for p in paths]
        paths = [x] + [a + b for a, b in zip(paths[1:] + [torch.zeros_like(x)], through)]
    return torch.stack(paths)
