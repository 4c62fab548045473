# wrong: the keys serve as values
# named: value_from_key
import math

import torch


def single_head(x, w_query, w_key, w_value):
    query = x @ w_query.T
    key = value = x @ w_key.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
