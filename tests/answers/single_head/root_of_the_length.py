# wrong: divides by the root of the number of tokens
# named: root_of_length

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(x.shape[-2]), dim=-1)
    return weights @ value, weights
