# wrong: writes dim=1, which is the last axis only of a table
# named: dimension_one

import torch


def stable_softmax(scores):
    e = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return e / e.sum(dim=1, keepdim=True)
