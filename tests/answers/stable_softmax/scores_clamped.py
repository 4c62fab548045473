# wrong: clamps the scores at 80, so all larger ones become equal
# named: clamped

import torch


def stable_softmax(scores):
    e = torch.exp(scores.clamp(max=80))
    return e / e.sum(dim=-1, keepdim=True)
