# wrong: sets the output of an empty sentence to 0 but leaves weights on its padding
# named: weights_left
import math

import torch


def attend_safely(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
    return (weights @ value).masked_fill(~has_any, 0.0), weights
