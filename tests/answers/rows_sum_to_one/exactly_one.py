# wrong: compares floating-point sums with == 1, which right versions miss by a rounding
# named: exact

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(30, 4), torch.randn(50, 4), torch.randn(50, 2))
    return bool((weights.sum(dim=-1) == 1).all() and (weights >= 0).all())
