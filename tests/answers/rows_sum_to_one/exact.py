# wrong: compares floating-point sums with 1 exactly, so right versions can fail
# named: exact

import torch


def rows_sum_to_one(attention):
    torch.manual_seed(0)
    _, w = attention(torch.randn(31, 8), torch.randn(47, 8), torch.randn(47, 2))
    return bool((w.sum(-1) == 1).all() and (w >= 0).all())
