# wrong: divides by head_dim instead of its root
# named: divided_by_head_dim
import math


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / query.shape[-1]
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights
