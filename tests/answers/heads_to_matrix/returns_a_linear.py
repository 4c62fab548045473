# wrong: returns the layer, not the pair
# named: a_layer
import torch
from torch import nn


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads])
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight = nn.Parameter(weight)
    layer.bias = nn.Parameter(torch.cat([head.bias for head in heads]))
    return layer
