# wrong: writes minus infinity into the scores themselves
# named: changes_input
import math

import torch


def masked_softmax(scores, mask):
    scores.masked_fill_(~mask, -math.inf)
    return torch.softmax(scores, dim=-1)
