# wrong: nothing is done about empty rows, they are NaN
# named: not_a_number
import math


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ value, weights
