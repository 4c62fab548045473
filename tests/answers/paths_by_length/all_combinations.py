# right
import functools
from itertools import combinations

import torch


def paths_by_length(x, weights):
    n = len(weights)
    out = torch.zeros(n + 1, *x.shape, dtype=x.dtype)
    for k in range(n + 1):
        for chosen in combinations(range(n), k):
            out[k] += functools.reduce(lambda s, i: s @ weights[i].mT, chosen, x)
    return out
