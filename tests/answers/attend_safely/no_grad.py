# wrong: the whole function runs under no_grad, so no gradient is NaN because there is none
# named: gradient_cut
import math

import torch


def attend_safely(query, key, value, mask):
    with torch.no_grad():
        scores = query @ key.mT / math.sqrt(query.shape[-1])
        weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).nan_to_num(0.0)
        return weights @ value, weights
