# wrong: leaves the bias as one row for each head
# named: bias_stacked
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads])
    return weight, torch.stack([head.bias for head in heads])
