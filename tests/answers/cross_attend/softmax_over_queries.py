# wrong: softmax over the queries (dim=-2) instead of the keys
# named: softmax_over_queries
import math

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    q = x @ w_query.T
    k = memory @ w_key.T
    v = memory @ w_value.T
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-2)
    return weights @ v, weights
