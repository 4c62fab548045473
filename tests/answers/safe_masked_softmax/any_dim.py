# wrong: looks for empty columns (any over dim -2) instead of empty rows
import math

import torch


def safe_masked_softmax(scores, mask):
    some = mask.any(dim=-2, keepdim=True)
    w = torch.softmax(scores.masked_fill(~mask & some, -math.inf), dim=-1)
    return w.masked_fill(~mask, 0.0)
