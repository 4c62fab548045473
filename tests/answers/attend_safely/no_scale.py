# wrong: the scores are not divided by sqrt(head_dim)
# named: no_scale
import math


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = (query @ key.mT).masked_fill(~mask & has_any, -math.inf)
    weights = scores.softmax(dim=-1).masked_fill(~has_any, 0.0)
    return weights @ value, weights
