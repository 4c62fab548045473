# wrong: the caller's mask is opened in place for empty sentences
# named: changes_input
import math


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    mask |= ~has_any
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~has_any, 0.0)
    return weights @ value, weights
