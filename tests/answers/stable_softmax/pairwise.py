# right

import torch


def stable_softmax(scores):
    top = torch.amax(scores, -1).unsqueeze(-1)
    e = torch.exp(scores.sub(top))
    return torch.div(e, torch.sum(e, -1, True))
