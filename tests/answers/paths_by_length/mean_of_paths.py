# wrong: the mean of the paths of each length
# named: averaged
import math

import torch


def paths_by_length(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    n = len(weights)
    for weight in weights:
        for k in range(n, 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return torch.stack([path / math.comb(n, k) for k, path in enumerate(paths)])
