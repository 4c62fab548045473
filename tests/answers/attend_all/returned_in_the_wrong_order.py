# wrong: returns weights, output
# named: swapped

import torch


def attend_all(query, key, value):
    weights = torch.softmax(query @ key.T, dim=-1)
    return weights, weights @ value
