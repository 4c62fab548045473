# wrong: chunks of the future are computed and hidden
# named: future_computed
import math

import torch


def ring_output(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        if is_causal:
            allowed = torch.ones(size, size, dtype=torch.bool)
            allowed = allowed.tril() if source == rank else allowed & (source < rank)
            scores = scores.masked_fill(~allowed, -math.inf)
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total
