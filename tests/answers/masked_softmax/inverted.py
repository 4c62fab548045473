# wrong: blocks what is allowed
# named: inverted
import math

import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1)
