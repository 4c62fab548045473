# wrong: asks whether anything may be read in the whole batch, not sentence by sentence
# named: only_all_empty
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask.any():
        weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    else:
        weights = torch.zeros_like(scores)
    return weights @ value, weights
