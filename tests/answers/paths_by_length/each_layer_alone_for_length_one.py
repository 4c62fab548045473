# wrong: length one only, zeros above
import torch


def paths_by_length(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    if len(weights):
        paths[1] = sum(x @ weight.T for weight in weights)
    return torch.stack(paths)
