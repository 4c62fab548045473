# wrong: concatenates along the inputs
# named: side_by_side
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads], dim=1)
    return weight, torch.cat([head.bias for head in heads])
