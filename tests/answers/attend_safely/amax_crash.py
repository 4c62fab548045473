# wrong: takes the maximum over the keys, which does not exist when there are none
import math


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    has_any = mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~mask & has_any, -math.inf)
    e = (scores - scores.amax(dim=-1, keepdim=True)).exp() * mask
    weights = e / e.sum(dim=-1, keepdim=True).clamp(min=1e-9)
    return weights @ value, weights
