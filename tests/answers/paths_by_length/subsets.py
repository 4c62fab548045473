# right

import torch


def paths_by_length(x, weights):
    import itertools

    n = len(weights)
    entries = []
    for k in range(n + 1):
        total = torch.zeros_like(x)
        for chosen in itertools.combinations(range(n), k):
            path = x
            for i in chosen:
                path = torch.nn.functional.linear(path, weights[i])
            total = total + path
        entries.append(total)
    return torch.stack(entries)
