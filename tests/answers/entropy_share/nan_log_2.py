# wrong: w * log(w) is NaN where the weight is 0
# named: zero_times_log_zero
import torch


def entropy_share(weights, mask):
    h = -(weights * weights.log()).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    return share.sum(dim=(0, 2)) / (n >= 2).sum(dim=(0, 2))
