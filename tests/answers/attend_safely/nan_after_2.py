# wrong: adds minus infinity and replaces NaN afterwards, so gradients are NaN
# named: replaced_too_late
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    bias = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores + bias, dim=-1).nan_to_num(0.0)
    return weights @ value, weights
