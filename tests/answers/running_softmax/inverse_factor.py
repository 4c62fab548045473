# wrong: the factor is exp(new - old)
# named: grown
import torch


def running_softmax(scores):
    maximum, total = scores[0], torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(new - maximum) + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)
