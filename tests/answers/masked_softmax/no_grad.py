# wrong: computes without gradients
# named: detached
import math

import torch


@torch.no_grad()
def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
