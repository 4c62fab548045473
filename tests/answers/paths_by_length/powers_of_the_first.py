# wrong: the first weight at each step
# named: first_weight_again
import torch


def paths_by_length(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for _ in weights:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weights[0].T
    return torch.stack(paths)
