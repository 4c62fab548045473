# wrong: writes into the scores themselves
# named: changes_input
import math

import torch


def safe_masked_softmax(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill_(~mask & has_any, -math.inf)
    return torch.softmax(scores, dim=-1).masked_fill(~has_any, 0.0)
