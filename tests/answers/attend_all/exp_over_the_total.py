# wrong: divides by the sum over the whole table because sum() got no dim
# named: softmax_over_all

import torch


def attend_all(query, key, value):
    e = torch.exp(query @ key.T)
    weights = e / e.sum()
    return weights @ value, weights
