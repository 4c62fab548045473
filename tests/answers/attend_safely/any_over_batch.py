# wrong: mask.any(dim=0), which asks over the batch instead of over the keys
# named: any_over_batch
import math


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=0, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights
