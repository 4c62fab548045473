# wrong: an empty row gets the mean of all values as its answer
# named: lowest_number
import math


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = (query @ key.mT / math.sqrt(query.shape[-1])) * has_any
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    return weights @ value, weights
