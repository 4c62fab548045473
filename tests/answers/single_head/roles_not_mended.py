# wrong: the root of head_dim, but one projection for all three roles
# named: one_matrix

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query = key = value = x @ w_query.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
