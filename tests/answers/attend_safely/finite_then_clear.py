# right
import math

import torch
import torch.nn.functional as F


def attend_safely(query, key, value, mask):
    scores = (query / math.sqrt(query.shape[-1])) @ key.mT
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    weights = weights.masked_fill(~mask, 0.0)
    return weights.matmul(value), weights
