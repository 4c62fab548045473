# wrong: asks for exact equality with 1, which rounding breaks for right versions
# named: exact
import torch


def rows_sum_to_one(attention):
    q, k, v = torch.randn(50, 8), torch.randn(70, 8), torch.randn(70, 5)
    _, w = attention(q, k, v)
    return bool((w.sum(dim=-1) == 1).all() and (w >= 0).all())
