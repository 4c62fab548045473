# wrong: sends paths through the layers from the last to the first
# named: reversed_layers
import torch


def paths_by_length(x, weights):
    paths = [x]
    for w in weights.flip(0):
        new = [x]
        for k in range(1, len(paths) + 1):
            old = paths[k] if k < len(paths) else torch.zeros_like(x)
            new.append(old + paths[k - 1] @ w.T)
        paths = new
    return torch.stack(paths)
