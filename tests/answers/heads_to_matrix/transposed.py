# wrong: returns the weight input first
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads]).T
    return weight, torch.cat([head.bias for head in heads])
