# wrong: divides by a sum without keepdim, so the row sums are laid along the key axis (an error unless square)
# named: keepdim_missing

import torch


def attend_all(query, key, value):
    e = torch.exp(query @ key.T)
    weights = e / e.sum(-1)
    return weights @ value, weights
