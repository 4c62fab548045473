# wrong: the baseline is near allowed keys over allowed keys of the whole table, not the mean of each query's share
# named: ratio_of_counts

import torch


def near_share(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    near = (p[:, None] - p).abs() <= width
    allowed = mask.expand(weights.shape)
    found = (weights * near).sum(-1).mean((0, 2))
    baseline = (allowed & near).sum((0, 2, 3)) / allowed.sum((0, 2, 3))
    return found, baseline
