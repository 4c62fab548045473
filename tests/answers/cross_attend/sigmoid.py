# wrong: a sigmoid in the place of the softmax
# named: sigmoid
import math

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = torch.sigmoid(q @ k.mT / math.sqrt(q.shape[-1]))
    return weights @ v, weights
