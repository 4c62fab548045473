# wrong: three projections, but still the root of d_model
# named: scaled_by_d_model

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
