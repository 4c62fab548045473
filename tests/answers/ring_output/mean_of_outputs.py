# wrong: the mean of the outputs
# named: mean_of_outputs
import math

import torch


def ring_output(query, keys, values, rank, is_causal):
    n, size, d = keys.shape
    outs = []
    for i in range(rank + 1 if is_causal else n):
        s = query @ keys[i].T / d**0.5
        if is_causal and i == rank:
            s = s.masked_fill(~torch.ones(size, size).tril().bool(), -math.inf)
        outs.append(s.softmax(-1) @ values[i])
    return sum(outs) / len(outs)
