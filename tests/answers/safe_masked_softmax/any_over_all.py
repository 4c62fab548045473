# wrong: asks of the whole mask whether it allows something
# named: whole_mask
import math

import torch


def safe_masked_softmax(scores, mask):
    if not mask.any():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
