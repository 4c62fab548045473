# wrong: total is not brought to the new maximum
# named: total_not_shrunk
import math

import torch


def ring_output(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        if is_causal and source > rank:
            continue
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        if is_causal and source == rank:
            scores = scores.masked_fill(~torch.ones(size, size).tril().bool(), -math.inf)
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total
