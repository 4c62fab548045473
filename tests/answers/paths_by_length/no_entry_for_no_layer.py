# wrong: leaves x itself out
import torch


def paths_by_length(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return torch.stack(paths[1:] or [x])
