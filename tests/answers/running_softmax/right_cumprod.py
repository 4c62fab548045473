# right
import torch


def running_softmax(scores):
    """In double precision, and with branches."""
    m, t, ms, ts = None, 0.0, [], []
    for s in scores.double().unbind():
        if m is None or s > m:
            t = 1.0 if m is None else t * torch.exp(m - s).item() + 1.0
            m = s
        else:
            t += torch.exp(s - m).item()
        ms.append(m.item())
        ts.append(t)
    return scores.new_tensor(ms), scores.new_tensor(ts)
