# wrong: softmax over the queries
# named: over_queries
import math

import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-2)
