# wrong: mixes the keys instead of the values
# named: keys_averaged

import torch


def attend_all(query, key, value):
    weights = torch.softmax(query @ key.T, dim=-1)
    return weights @ key, weights
