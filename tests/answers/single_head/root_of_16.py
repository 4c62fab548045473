# wrong: writes the 16 of the example for head_dim
# named: constant

import torch


def single_head(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / 4.0, dim=-1)
    return weights @ value, weights
