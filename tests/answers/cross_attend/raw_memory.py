# wrong: averages the memory itself without w_value
# named: value_not_projected
import math

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k = x @ w_query.T, memory @ w_key.T
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ memory, weights
