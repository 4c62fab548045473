# right
import math

import torch


def safe_masked_softmax(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~mask, -math.inf).masked_fill(~has_any, 0.0)
    return torch.softmax(scores, dim=-1) * has_any
