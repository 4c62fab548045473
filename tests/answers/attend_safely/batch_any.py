# wrong: asks whether the whole batch has something to read, not each sentence
# named: only_all_empty
import math

import torch


def attend_safely(query, key, value, mask):
    s = query @ key.mT / math.sqrt(query.shape[-1])
    if not mask.any():
        w = torch.zeros_like(s)
    else:
        w = torch.softmax(s.masked_fill(~mask, -math.inf), dim=-1)
    return w @ value, w
