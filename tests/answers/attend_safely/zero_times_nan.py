# wrong: multiplies by 0 where nothing may be read, but 0 times NaN is NaN
# named: not_a_number
import math


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    weights = weights * mask.any(dim=-1, keepdim=True)
    return weights @ value, weights
