# right
import math

import torch


def ring_output(query, keys, values, rank, is_causal):
    n, size, d = keys.shape
    outs, lses = [], []
    for i in range(rank + 1 if is_causal else n):
        s = query @ keys[i].T / d**0.5
        if is_causal and i == rank:
            s = s + torch.full((size, size), -math.inf).triu(1)
        outs.append(s.softmax(-1) @ values[i])
        lses.append(s.logsumexp(-1))
    w = torch.stack(lses).softmax(0)
    return (w[..., None] * torch.stack(outs)).sum(0)
