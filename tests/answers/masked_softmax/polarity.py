# wrong: fills -inf where the mask is True, so it shows what should be hidden
# named: inverted
import math

import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1).nan_to_num(0.0)
