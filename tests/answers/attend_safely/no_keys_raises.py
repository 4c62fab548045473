# wrong: breaks when there is no key at all, because a maximum of nothing is asked for
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    has_any = mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~mask & has_any, -math.inf)
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    weights = (e / e.sum(dim=-1, keepdim=True)).masked_fill(~has_any, 0.0)
    return weights @ value, weights
