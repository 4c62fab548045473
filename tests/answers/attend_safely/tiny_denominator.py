# wrong: 1e-9 in the denominator, over exp without subtracting the maximum
# named: tiny_denominator
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    e = torch.exp(scores) * mask
    weights = e / (e.sum(dim=-1, keepdim=True) + 1e-9)
    return weights @ value, weights
