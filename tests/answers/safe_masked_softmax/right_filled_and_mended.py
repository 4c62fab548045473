# right
import math

import torch


def safe_masked_softmax(scores, mask):
    """masked_fill hands no gradient back to what it filled: the gradient is finite."""
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1).nan_to_num(0.0)
