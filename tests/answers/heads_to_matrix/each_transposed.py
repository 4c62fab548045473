# wrong: turns each weight round and then joins the rows
# named: each_transposed
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight.T for head in heads], dim=0)
    return weight, torch.cat([head.bias for head in heads])
