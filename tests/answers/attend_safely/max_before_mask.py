# wrong: subtracts the maximum of all scores, blocked ones too, and so loses what is left
# named: highest_of_all
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if scores.shape[-1]:
        scores = scores - scores.amax(dim=-1, keepdim=True)
    e = torch.exp(scores) * mask
    weights = e / e.sum(dim=-1, keepdim=True).clamp(min=1e-30)
    return weights @ value, weights
