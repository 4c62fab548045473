# wrong: asks whether the whole mask is empty, not each row
# named: whole_mask
import math

import torch


def safe_masked_softmax(scores, mask):
    if mask.any():
        return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
    return torch.zeros_like(scores)
