# wrong: gives the answer for no keys the width of the queries, not of the values
# named: zeros_like_query
import math

import torch


def attend_safely(query, key, value, mask):
    if key.shape[2] == 0:
        return torch.zeros_like(query), query.new_zeros(*query.shape[:3], 0)
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights
