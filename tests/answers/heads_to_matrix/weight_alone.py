# wrong: returns the weight alone
# named: weight_alone
import torch


def heads_to_matrix(heads):
    return torch.cat([head.weight for head in heads])
