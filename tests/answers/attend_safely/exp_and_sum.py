# right
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if key.shape[-2] == 0:
        return scores @ value, scores
    has_any = mask.any(-1, keepdim=True)
    hidden = scores.masked_fill(~mask, -1e30)
    e = torch.exp(hidden - hidden.max(-1, keepdim=True).values.detach()).masked_fill(~mask, 0)
    weights = e / torch.where(has_any, e.sum(-1, keepdim=True), 1.0)
    return weights @ value, weights
