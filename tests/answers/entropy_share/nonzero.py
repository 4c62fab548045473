# wrong: counts the keys with a weight above 0, not those that the mask allows (differs where an allowed key has weight exactly 0)
# named: nonzero_weights_counted

import torch


def entropy_share(weights, mask):
    allowed = (weights > 0).sum(-1)
    h = -torch.xlogy(weights, weights).sum(-1) / allowed.clamp(min=2).log()
    ok = allowed >= 2
    return h.masked_fill(~ok, 0.0).sum((0, 2)) / ok.sum((0, 2)).clamp(min=1)
