# wrong: softmax of all -inf gives NaN which is replaced afterwards by adding the mask, so a gradient is NaN
# named: replaced_too_late
import math

import torch


def attend_safely(query, key, value, mask):
    bias = torch.zeros(mask.shape, dtype=query.dtype).masked_fill(~mask, -math.inf)
    s = query @ key.mT / math.sqrt(query.shape[-1]) + bias
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return w @ value, w
