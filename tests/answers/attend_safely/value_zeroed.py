# wrong: the blocked values are set to 0 instead of the weights
# named: values_blocked
import math


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.softmax(dim=-1)
    return weights @ value.masked_fill(~mask.mT, 0.0), weights
