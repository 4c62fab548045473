# wrong: returns the log of the softmax
# named: logarithm

import torch


def stable_softmax(scores):
    top = scores.max(dim=-1, keepdim=True).values
    return scores - top - torch.exp(scores - top).sum(dim=-1, keepdim=True).log()
