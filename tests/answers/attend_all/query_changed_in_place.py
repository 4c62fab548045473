# wrong: centres the caller's query in place before using it
# named: changes_input

import torch


def attend_all(query, key, value):
    weights = torch.softmax(query @ key.T, dim=-1)
    query -= query.mean(dim=-1, keepdim=True)
    return weights @ value, weights
