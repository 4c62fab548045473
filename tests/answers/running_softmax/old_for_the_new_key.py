# wrong: the new key is taken relative to the old maximum
# named: added_with_old_maximum
import torch


def running_softmax(scores):
    maximum, total = scores[0], torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(maximum - new) + torch.exp(s - maximum)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)
