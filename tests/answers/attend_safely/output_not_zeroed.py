# wrong: the weights of an empty row are set to 0 after the output was computed
# named: weights_cleared_late
import math


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    output = weights @ value
    return output, weights.masked_fill(~has_any, 0.0)
