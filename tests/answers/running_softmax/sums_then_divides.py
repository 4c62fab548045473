# wrong: exp(score) summed and divided by exp(maximum)
# named: divided_at_the_end
import torch


def running_softmax(scores):
    maximum = torch.cummax(scores, dim=0)[0]
    return maximum, torch.cumsum(scores.exp(), dim=0) / maximum.exp()
