# right
import torch


def paths_by_length(x, weights):
    paths = x.new_zeros(len(weights) + 1, *x.shape)
    paths[0] = x
    for weight in weights:
        through = torch.einsum("k...i,oi->k...o", paths[:-1], weight)
        paths = torch.cat([paths[:1], paths[1:] + through])
    return paths
