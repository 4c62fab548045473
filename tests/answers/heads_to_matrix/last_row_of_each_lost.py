# wrong: an end that is one too early drops the last row of every head
# named: last_rows_lost
import torch


def heads_to_matrix(heads):
    head_dim = heads[0].out_features
    weight = torch.cat([head.weight[: head_dim - 1] for head in heads])
    return weight, torch.cat([head.bias[: head_dim - 1] for head in heads])
