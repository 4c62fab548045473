# right

import torch


def induction(weights, tokens):
    batch, heads, n, _ = weights.shape
    total, count = torch.zeros(heads, dtype=weights.dtype), 0
    rows = tokens.tolist()
    for b, row in enumerate(rows):
        for q in range(n):
            keys = [j + 1 for j in range(q) if row[j] == row[q]]
            if keys:
                count += 1
                total = total + weights[b][:, q][:, keys].sum(-1)
    return total / count
