# wrong: indexes with the mask, which must have the shape of the scores for that
import math

import torch


def masked_softmax(scores, mask):
    s = scores.clone()
    s[~mask] = -math.inf
    return torch.softmax(s, dim=-1)
