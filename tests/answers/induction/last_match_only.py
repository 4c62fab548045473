# wrong: the last earlier match only
# named: last_one_only
import torch


def induction(weights, tokens):
    batch, length = tokens.shape
    total, count = torch.zeros(weights.shape[1]), 0
    for b in range(batch):
        for i in range(length):
            for j in range(i - 1, -1, -1):
                if tokens[b, j] == tokens[b, i]:
                    total = total + weights[b, :, i, j + 1]
                    count += 1
                    break
    return total / count
