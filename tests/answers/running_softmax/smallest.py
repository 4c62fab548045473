# wrong: torch.minimum
# named: minimum
import torch


def running_softmax(scores):
    maximum, total = torch.tensor(float("inf")), torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.minimum(maximum, s)
        total = total * torch.exp(maximum - new) + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)
