# wrong: subtracts the smallest score of the row instead of the largest
# named: minus_min

import torch


def stable_softmax(scores):
    e = torch.exp(scores - scores.min(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)
