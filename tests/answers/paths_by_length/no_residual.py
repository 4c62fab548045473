# wrong: the outputs of the chain without a sum
# named: without_the_sum
import torch


def paths_by_length(x, weights):
    paths = [x]
    for weight in weights:
        paths.append(paths[-1] @ weight.T)
    return torch.stack(paths)
