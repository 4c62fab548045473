# wrong: without keepdim the sums line up with the columns, if it runs at all
# named: keepdim_missing

import torch


def attend_all(query, key, value):
    e = torch.exp(query @ key.T)
    weights = e / e.sum(dim=1)
    return weights @ value, weights
