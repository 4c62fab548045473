# right
import math

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    e = torch.exp(q @ k.mT / math.sqrt(q.shape[-1]))
    weights = e / e.sum(dim=-1, keepdim=True)
    return weights @ v, weights
