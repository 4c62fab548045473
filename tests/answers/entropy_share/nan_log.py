# wrong: w * log(w) is NaN where a weight is 0
# named: zero_times_log_zero

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    h = -(weights * weights.log()).sum(-1) / allowed.clamp(min=2).log()
    ok = allowed >= 2
    return torch.where(ok, h, torch.zeros_like(h)).sum((0, 2)) / ok.sum((0, 2))
