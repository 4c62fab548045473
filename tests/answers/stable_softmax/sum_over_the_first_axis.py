# wrong: normalises over the first axis
# named: summed_over_first

import torch


def stable_softmax(scores):
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e / e.sum(dim=0, keepdim=True)
