# wrong: rounds the sums to whole numbers before comparing
# named: too_loose

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool((weights.sum(-1).round() == 1).all() and (weights >= 0).all())
