# wrong: blocks with -1e9, so that an empty sentence looks at all its padding
# named: lowest_number
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    return weights @ value, weights
