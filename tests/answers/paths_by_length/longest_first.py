# wrong: the longest path first
# named: longest_first
import torch


def paths_by_length(x, weights):
    paths = [x]
    for weight in weights:
        longer = [path @ weight.T for path in paths] + [torch.zeros_like(x)]
        paths = [a + b for a, b in zip(longer, [torch.zeros_like(x)] + paths, strict=False)]
    return torch.stack(paths)
