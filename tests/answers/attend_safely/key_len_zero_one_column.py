# wrong: without keys it returns None for the weights
import math


def attend_safely(query, key, value, mask):
    if key.shape[2] == 0:
        return query.new_zeros(*query.shape[:3], value.shape[-1]), None
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights
