# wrong: lets an empty row attend to key 0
# named: first_key
import math

import torch


def safe_masked_softmax(scores, mask):
    mask = mask.expand(scores.shape).clone()
    mask[..., 0] |= ~mask.any(dim=-1)
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
