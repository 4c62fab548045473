# wrong: the naive softmax again, which overflows on large scores
# named: naive

import torch


def stable_softmax(scores):
    e = torch.exp(scores)
    return e / e.sum(dim=-1, keepdim=True)
