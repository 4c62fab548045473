# wrong: the maximum starts at 0
# named: maximum_from_zero
import torch


def running_softmax(scores):
    maximum, total = torch.zeros(()), torch.zeros(())
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(maximum - new) + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)
