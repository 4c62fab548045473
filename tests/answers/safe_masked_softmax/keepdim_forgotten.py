# wrong: any without keepdim
# named: keepdim_forgotten
import math

import torch


def safe_masked_softmax(scores, mask):
    has_any = mask.any(dim=-1)
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)
