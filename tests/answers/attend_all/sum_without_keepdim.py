# wrong: divides by the row sums without keepdim, so the sums lie along the columns (or do not fit)
# named: keepdim_missing
import torch


def attend_all(query, key, value):
    weights = torch.exp(query @ key.T)
    weights = weights / weights.sum(dim=1)
    return weights @ value, weights
