# right
import torch


def induction(weights, tokens):
    batch, length = tokens.shape
    total, count = torch.zeros_like(weights[0, :, 0, 0]), 0
    for b in range(batch):
        for i in range(length):
            keys = [j + 1 for j in range(i) if tokens[b, j] == tokens[b, i]]
            if keys:
                total = total + weights[b, :, i, keys].sum(dim=-1)
                count += 1
    return total / count
