# wrong: -100 is too small a number to hide a key from large scores
# named: reachable_number
import math


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -100.0).softmax(dim=-1) * mask.any(-1, keepdim=True)
    return weights @ value, weights
