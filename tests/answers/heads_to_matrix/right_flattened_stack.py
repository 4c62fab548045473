# right
import torch


def heads_to_matrix(heads):
    weight = torch.stack([head.weight for head in heads]).flatten(0, 1)
    bias = torch.stack([head.bias for head in heads]).flatten()
    return weight, bias
