# wrong: divides by the log of the key length, not of the number of allowed keys
# named: log_of_all_keys

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    n = torch.tensor(float(weights.shape[-1]))
    h = -torch.xlogy(weights, weights).sum(-1) / n.log()
    ok = allowed >= 2
    return h.masked_fill(~ok, 0).sum((0, 2)) / ok.sum((0, 2))
