# wrong: the masked softmax of exercise 3, NaN in empty rows
# named: not_a_number
import math

import torch


def safe_masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
