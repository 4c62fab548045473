# wrong: blocked scores are set to 0, which is not nothing
# named: times_mask
import math


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, 0.0).softmax(dim=-1)
    weights = weights * mask.any(dim=-1, keepdim=True)
    return weights @ value, weights
