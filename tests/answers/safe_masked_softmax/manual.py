# right
import math

import torch


def safe_masked_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    full = mask | ~mask.any(dim=-1, keepdim=True)
    low = scores.masked_fill(~full, -math.inf)
    weights = torch.softmax(low, dim=-1)
    return torch.where(mask, weights, torch.zeros_like(weights))
