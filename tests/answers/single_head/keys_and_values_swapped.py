# wrong: uses w_value for the keys and w_key for the values
# named: key_value_exchanged

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query, value, key = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights
