# wrong: computes in float32 and stays there
# named: dtype
import math

import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.float().masked_fill(~mask, -math.inf), dim=-1)
