# wrong: divides by the sum of the whole tensor
# named: summed_over_all

import torch


def stable_softmax(scores):
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e / e.sum()
