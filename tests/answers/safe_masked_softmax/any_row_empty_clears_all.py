# wrong: one empty row clears all rows
# named: one_empty_clears_all
import math

import torch


def safe_masked_softmax(scores, mask):
    if not mask.any(dim=-1).all():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
