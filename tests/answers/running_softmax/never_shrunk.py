# wrong: the old total stays as large as it was
# named: not_shrunk
import torch


def running_softmax(scores):
    maximum, total = torch.tensor(float("-inf")), torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)
