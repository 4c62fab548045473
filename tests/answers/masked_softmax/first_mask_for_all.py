# wrong: uses the mask of the first sentence for all
# named: first_mask
import math

import torch


def masked_softmax(scores, mask):
    while mask.dim() > 2:
        mask = mask[0]
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
