# wrong: meets the second layer before the first in the longer path
# named: reversed_layers
import torch


def paths_by_length(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in [weights[i] for i in range(len(weights) - 1, -1, -1)]:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return torch.stack(paths)
