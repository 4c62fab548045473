# wrong: takes the exponentials and does not divide by their sum
# named: not_normalised

import torch


def attend_all(query, key, value):
    weights = torch.exp(query @ key.T)
    return weights @ value, weights
