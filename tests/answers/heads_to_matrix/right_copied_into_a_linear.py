# right
import torch
from torch import nn


def heads_to_matrix(heads):
    d_model = heads[0].in_features
    head_dim = heads[0].out_features
    big = nn.Linear(d_model, head_dim * len(heads), dtype=heads[0].weight.dtype)
    with torch.no_grad():
        for i, head in enumerate(heads):
            big.weight[i * head_dim : (i + 1) * head_dim] = head.weight
            big.bias[i * head_dim : (i + 1) * head_dim] = head.bias
    return big.weight, big.bias
