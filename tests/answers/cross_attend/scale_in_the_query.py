# right
import math

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    query = x @ (w_query / math.sqrt(len(w_query))).T
    weights = torch.softmax(query @ (memory @ w_key.T).mT, dim=-1)
    return (weights @ memory) @ w_value.T, weights
