# wrong: the layers are gone through last one first
# named: reversed_layers

import torch


def paths_by_length(x, weights):
    paths = [x]
    for w in reversed(list(weights)):
        zero = torch.zeros_like(x)
        paths = [a + b @ w.mT for a, b in zip(paths + [zero], [zero] + paths)]
    return torch.stack(paths)
