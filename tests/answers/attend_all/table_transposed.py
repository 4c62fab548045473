# wrong: multiplies the keys by the queries, so the table lies on its side
# named: roles_exchanged

import torch


def attend_all(query, key, value):
    weights = torch.softmax(key @ query.T, dim=-1)
    return weights.T @ value if weights.shape[0] == len(value) else weights @ value, weights
