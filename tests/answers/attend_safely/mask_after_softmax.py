# wrong: the softmax runs over all keys and the blocked weights are set to 0 without renormalising
# named: blocked_too_late
import math


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.softmax(dim=-1) * mask
    return weights @ value, weights
