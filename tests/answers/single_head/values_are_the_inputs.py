# wrong: mixes x itself, the values are not projected
# named: value_is_x

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query, key = x @ w_query.T, x @ w_key.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ x, weights
