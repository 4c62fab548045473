# wrong: a table that is always float32
# named: dtype
import torch


def paths_by_length(x, weights):
    paths = torch.zeros(len(weights) + 1, *x.shape)
    paths[0] = x
    for weight in weights:
        paths[1:] = paths[1:] + paths[:-1].clone() @ weight.T.float()
    return paths
