# right
import math

import torch


def ring_output(query, keys, values, rank, is_causal):
    n, size, d = keys.shape
    last = rank + 1 if is_causal else n
    k, v = keys[:last].flatten(0, 1), values[:last].flatten(0, 1)
    s = query @ k.T / d**0.5
    if is_causal:
        later = torch.arange(last * size) > rank * size + torch.arange(size)[:, None]
        s = s.masked_fill(later, -math.inf)
    return s.softmax(-1) @ v
