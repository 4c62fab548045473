# wrong: the new key adds exp(score)
# named: added_unshifted
import torch


def running_softmax(scores):
    maximum, total = torch.tensor(float("-inf")), torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(maximum - new) + s.exp()
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)
