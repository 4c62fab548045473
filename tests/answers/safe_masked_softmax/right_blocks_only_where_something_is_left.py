# right
import math

import torch


def safe_masked_softmax(scores, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~(mask | empty), -math.inf), dim=-1)
    return torch.where(empty, torch.zeros_like(weights), weights)
