# right
import torch


def paths_by_length(x, weights):
    if len(weights) == 0:
        return x[None]
    shorter = paths_by_length(x, weights[:-1])
    none = torch.zeros_like(x)[None]
    return torch.cat([shorter, none]) + torch.cat([none, shorter @ weights[-1].T])
