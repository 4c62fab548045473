# right

import torch


def stable_softmax(scores):
    top = torch.sort(scores, dim=-1, descending=True).values[..., :1]
    e = (scores - top).exp()
    return e.div(e.sum(-1).unsqueeze(-1))
