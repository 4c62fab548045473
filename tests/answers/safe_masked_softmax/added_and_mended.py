# wrong: adds minus infinity and replaces NaN afterwards, so the gradient is NaN
# named: replaced_too_late
import math

import torch


def safe_masked_softmax(scores, mask):
    bias = torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    return torch.nan_to_num(torch.softmax(scores + bias, dim=-1))
