# wrong: subtracts the largest absolute value, so a very negative score makes the row vanish
# named: minus_largest_size

import torch


def stable_softmax(scores):
    e = torch.exp(scores - scores.abs().amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)
