# wrong: returns the weight input first
# named: transposed
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads]).T
    return weight, torch.cat([head.bias for head in heads])
