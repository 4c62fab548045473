# wrong: leaves the scale out
# named: no_scale

import torch


def single_head(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value, weights
