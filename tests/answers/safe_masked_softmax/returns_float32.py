# wrong: returns float32 for float16 scores
# named: dtype
import math

import torch


def safe_masked_softmax(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.float().masked_fill(~mask & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)
