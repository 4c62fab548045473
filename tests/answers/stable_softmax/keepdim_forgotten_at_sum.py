# wrong: the sum of each row without keepdim lines up with the wrong axis
# named: sum_without_keepdim

import torch


def stable_softmax(scores):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1)
