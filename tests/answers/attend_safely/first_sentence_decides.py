# wrong: whether there is something to read is looked up in the first sentence only
# named: first_decides
import math


def attend_safely(query, key, value, mask):
    has_any = mask[:1].any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights
