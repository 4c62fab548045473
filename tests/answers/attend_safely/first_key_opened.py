# wrong: an empty row is allowed to read key 0, so that the softmax works
# named: first_key_allowed
import math


def attend_safely(query, key, value, mask):
    if mask.shape[-1]:
        mask = mask.clone()
        mask[..., 0] |= ~mask.any(dim=-1)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ value, weights
