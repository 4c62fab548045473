# wrong: two numbers at the end, no lists
import torch


def running_softmax(scores):
    m, t = scores[0], torch.tensor(1.0)
    for s in scores[1:]:
        new = torch.max(m, s)
        t = t * torch.exp(m - new) + torch.exp(s - new)
        m = new
    return m, t
