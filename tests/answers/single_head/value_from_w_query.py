# wrong: the key is mended, the value is still made with w_query
# named: value_from_query

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query, key = x @ w_query.T, x @ w_key.T
    value = x @ w_query.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights
