# wrong: any() where all() is meant
# named: some_row

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    near = (weights.sum(-1) - 1).abs() < 1e-5
    return bool(near.any() and (weights >= 0).all())
