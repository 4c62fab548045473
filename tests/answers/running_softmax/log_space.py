# wrong: logcumsumexp as it comes
# named: logarithm
import torch


def running_softmax(scores):
    maximum = scores.cummax(dim=0).values
    return maximum, torch.logcumsumexp(scores, dim=0) - maximum
