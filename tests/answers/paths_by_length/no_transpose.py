# wrong: multiplies by weights[i] without the transpose
# named: not_transposed

import torch


def paths_by_length(x, weights):
    paths = [x]
    for w in weights:
        zero = torch.zeros_like(x)
        paths = [a + b @ w for a, b in zip(paths + [zero], [zero] + paths)]
    return torch.stack(paths)
