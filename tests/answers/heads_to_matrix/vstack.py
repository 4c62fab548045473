# right
import torch


def heads_to_matrix(heads):
    weight, bias = zip(*[head.parameters() for head in heads])
    return torch.vstack(weight).detach().clone(), torch.hstack(bias).detach().clone()
