# wrong: no softmax at all
# named: no_softmax

import math


def single_head(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return weights @ value, weights
