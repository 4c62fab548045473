# wrong: sum of the entropies over the sum of the logs, not the mean of the shares
# named: ratio_of_means

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    ok = allowed >= 2
    h = -torch.xlogy(weights, weights).sum(-1).masked_fill(~ok, 0.0)
    top = allowed.clamp(min=2).log().masked_fill(~ok, 0.0)
    return h.sum((0, 2)) / top.sum((0, 2))
