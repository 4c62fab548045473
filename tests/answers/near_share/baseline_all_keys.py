# wrong: the baseline spreads equal weights over all keys, also the blocked ones
# named: baseline_without_mask

import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    p = torch.arange(n)
    near = (p[:, None] - p).abs() <= width
    found = (weights * near).sum(-1).mean((0, 2))
    baseline = (torch.full_like(weights, 1 / n) * near).sum(-1).mean((0, 2))
    return found, baseline
