# wrong: adds 1 to the denominator so that it is never 0, which changes all weights
# named: one_in_the_denominator
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    top = scores.masked_fill(~mask, -1e30).amax(-1, keepdim=True) if scores.shape[-1] else 0
    e = torch.exp(scores.masked_fill(~mask, -1e30) - top) * mask
    weights = e / (e.sum(dim=-1, keepdim=True) + 1)
    return weights @ value, weights
