# right
import torch


def sink_attend(query, key, value, sink):
    outputs, tables = [], []
    for h in range(len(query)):
        scores = query[h] @ key[h].T / query.shape[-1] ** 0.5
        m = torch.maximum(scores.max(-1, keepdim=True).values, sink[h])
        e = (scores - m).exp()
        tables.append(e / (e.sum(-1, keepdim=True) + (sink[h] - m).exp()))
        outputs.append(tables[-1] @ value[h])
    return torch.stack(outputs), torch.stack(tables)
