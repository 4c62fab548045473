# wrong: softmax over the queries instead of the keys
# named: softmax_over_queries

import torch


def attend_all(query, key, value):
    weights = torch.softmax(query @ key.T, dim=0)
    return weights @ value, weights
