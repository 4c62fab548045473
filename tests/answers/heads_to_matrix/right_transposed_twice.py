# right
import torch


def heads_to_matrix(heads):
    columns = torch.cat([head.weight.T for head in heads], dim=1)
    return columns.T, torch.hstack([head.bias for head in heads])
