# wrong: asks whether any row is too far from 1, which no NaN is, and only at huge scores
# named: saturated

import torch


def rows_sum_to_one(attention):
    query, key, value = 1e4 * torch.randn(3, 4), 1e4 * torch.randn(5, 4), torch.randn(5, 2)
    _, weights = attention(query, key, value)
    return not bool(((weights.sum(-1) - 1).abs() > 1e-5).any() or (weights < 0).any())
