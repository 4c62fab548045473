# wrong: softmax over the queries
# named: softmax_over_queries
import torch
import torch.nn.functional as F


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = F.linear(x, w_query), F.linear(memory, w_key), F.linear(memory, w_value)
    weights = torch.softmax(q @ k.mT / w_query.shape[0] ** 0.5, dim=-2)
    return weights @ v, weights
