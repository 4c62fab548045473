# wrong: starts with x itself and changes it in place
# named: changes_input
import torch


def paths_by_length(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(len(weights), 0, -1):
            paths[k] += paths[k - 1] @ weight.T
    paths[0] *= 2
    paths[0] /= 2
    x += paths[-1]
    return torch.stack(paths)
