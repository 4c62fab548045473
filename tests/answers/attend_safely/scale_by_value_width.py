# wrong: divides by the root of the width of the values
# named: scaled_by_value_width
import math


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(value.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights
