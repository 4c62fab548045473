# wrong: turns each weight round, joins and reshapes until the shape is right
# named: reshaped_transposed
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight.T for head in heads], dim=1)
    weight = weight.reshape(weight.shape[1], weight.shape[0])
    return weight, torch.cat([head.bias for head in heads])
