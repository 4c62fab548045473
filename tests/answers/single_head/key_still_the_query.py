# wrong: the value is mended, the key is still made with w_query
# named: query_is_key

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query = key = x @ w_query.T
    value = x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights
