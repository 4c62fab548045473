# right
import math

import torch


def masked_softmax(scores, mask):
    return torch.where(mask, scores, torch.full_like(scores, -math.inf)).softmax(-1)
