# wrong: applies softmax to the weights a second time
# named: softmax_twice

import torch


def attend_all(query, key, value):
    weights = torch.softmax(query @ key.T, dim=-1)
    weights = torch.softmax(weights, dim=-1)
    return weights @ value, weights
