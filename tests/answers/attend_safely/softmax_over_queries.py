# wrong: softmax over the queries (dim=-2)
# named: softmax_over_queries
import math


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(~mask & has_any, -math.inf)
    weights = scores.softmax(dim=-2).masked_fill(~mask, 0.0)
    return weights @ value, weights
