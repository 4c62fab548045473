# wrong: takes a sigmoid of each score
# named: sigmoid

import torch


def attend_all(query, key, value):
    weights = torch.sigmoid(query @ key.T)
    return weights @ value, weights
