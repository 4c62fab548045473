# right

import torch


def stable_softmax(scores):
    wide = scores.to(torch.float64)
    top, _ = wide.max(dim=-1, keepdim=True)
    wide = (wide - top).exp()
    return (wide / wide.sum(dim=-1, keepdim=True)).type_as(scores)
