# wrong: divides by the root of the values' width
# named: scaled_by_value_width
import math

import torch


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(value.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights
