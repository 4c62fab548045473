# wrong: returns the bias first
# named: swapped
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads])
    return torch.cat([head.bias for head in heads]), weight
