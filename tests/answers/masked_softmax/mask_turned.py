# wrong: turns the mask round
# named: mask_transposed
import math

import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask.transpose(-2, -1), -math.inf), dim=-1)
