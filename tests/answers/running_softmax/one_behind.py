# wrong: appends before the key is counted
# named: one_key_late
import torch


def running_softmax(scores):
    m, t = torch.tensor(-torch.inf), torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        ms.append(m)
        ts.append(t)
        new = torch.max(m, s)
        t = t * torch.exp(m - new) + torch.exp(s - new)
        m = new
    return torch.stack(ms), torch.stack(ts)
