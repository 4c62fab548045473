# wrong: a causal triangle, whatever the mask says
# named: own_triangle
import math

import torch


def masked_softmax(scores, mask):
    mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
