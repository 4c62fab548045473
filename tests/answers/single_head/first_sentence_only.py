# wrong: all sentences get the weights of the first one
# named: first_sentence

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if x.dim() > 2:
        weights = weights[:1].expand_as(weights)
    return weights @ value, weights
