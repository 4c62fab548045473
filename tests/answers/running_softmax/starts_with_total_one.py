# wrong: the total starts at 1
# named: starts_at_one
import torch


def running_softmax(scores):
    maximum, total = scores[0], torch.tensor(1.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(maximum - new) + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)
