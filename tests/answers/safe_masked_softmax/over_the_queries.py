# wrong: softmax over the queries
# named: over_queries
import math

import torch


def safe_masked_softmax(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-2)
    return weights.masked_fill(~has_any, 0.0)
