# wrong: counts only the latest earlier occurrence
# named: last_one_only
import torch


def induction(weights, tokens):
    B, H, L, _ = weights.shape
    total, count = torch.zeros(H), 0
    for b in range(B):
        for i in range(L):
            earlier = [j for j in range(i) if tokens[b, j] == tokens[b, i]]
            if earlier:
                total += weights[b, :, i, earlier[-1] + 1]
                count += 1
    return total / count
