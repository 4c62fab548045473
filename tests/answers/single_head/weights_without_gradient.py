# wrong: detaches the weights, so w_query and w_key never learn
# named: cut_off

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    weights = weights.detach()
    return weights @ value, weights
