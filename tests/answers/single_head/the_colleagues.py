# wrong: the colleague's head as it was
# named: colleagues_head

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query = key = value = x @ w_query.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
