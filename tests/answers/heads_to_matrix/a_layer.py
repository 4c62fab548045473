# wrong: returns an nn.Linear, not its weight and bias
# named: a_layer
import torch
from torch import nn


def heads_to_matrix(heads):
    weight = torch.cat([h.weight for h in heads])
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight.data = weight
    layer.bias.data = torch.cat([h.bias for h in heads])
    return layer
