# wrong: divides the scores by the largest score instead of subtracting it
# named: divided_by_max

import torch


def stable_softmax(scores):
    e = torch.exp(scores / scores.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)
