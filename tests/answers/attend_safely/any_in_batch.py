# wrong: asks of the whole batch whether there is something to read
# named: only_all_empty
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if not mask.any():
        weights = torch.zeros_like(scores)
    else:
        weights = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
    return weights @ value, weights
