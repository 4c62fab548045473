# wrong: the largest of each row without keepdim lines up with the wrong axis
# named: max_without_keepdim

import torch


def stable_softmax(scores):
    e = torch.exp(scores - scores.max(dim=-1).values)
    return e / e.sum(dim=-1, keepdim=True)
