# wrong: cuts the gradient
# named: detached
import math

import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.detach().masked_fill(~mask, -math.inf), dim=-1)
