# right
import math

import torch


def weights_at(scores, temperature):
    gap = scores - scores.amax(-1, keepdim=True)
    if temperature == 0:
        z = torch.where(gap < 0, torch.full_like(gap, -math.inf), torch.zeros_like(gap))
    else:
        z = gap / temperature
    return z.softmax(-1)
