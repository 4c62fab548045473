# wrong: adds the query to the output

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    w = torch.softmax(q @ k.mT * q.size(-1) ** -0.5, dim=-1)
    return q + w @ v, w
