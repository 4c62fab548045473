# wrong: softmax of key @ query.T over the queries (each memory token shares its 1 among the tokens of x), turned round afterwards
# named: softmax_over_queries
import math

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    s = k @ q.mT / math.sqrt(q.shape[-1])
    w = torch.softmax(s, dim=-1).mT
    return w @ v, w
