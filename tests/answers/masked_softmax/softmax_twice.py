# wrong: a softmax of the softmax
# named: softmax_twice
import math

import torch


def masked_softmax(scores, mask):
    weights = torch.softmax(scores, dim=-1)
    return torch.softmax(weights.masked_fill(~mask, -math.inf), dim=-1)
