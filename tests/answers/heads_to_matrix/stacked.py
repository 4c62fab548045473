# wrong: stacks along a new axis
# named: stacked
import torch


def heads_to_matrix(heads):
    weight = torch.stack([head.weight for head in heads])
    return weight, torch.stack([head.bias for head in heads])
