# right
import math

import torch


def attend_safely(query, key, value, mask):
    outputs, maps = [], []
    for b in range(query.shape[0]):
        real = mask[b, 0, 0]
        scores = query[b] @ key[b].mT / math.sqrt(query.shape[-1])
        weights = scores * 0
        if real.any():
            weights = scores.masked_fill(~real, -math.inf).softmax(-1)
        maps.append(weights)
        outputs.append(weights @ value[b])
    return torch.stack(outputs), torch.stack(maps)
