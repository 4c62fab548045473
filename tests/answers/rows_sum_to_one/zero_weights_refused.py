# wrong: asks for weights above 0, so a right version whose weights underflow fails
# named: rejects_everything

import torch


def rows_sum_to_one(attention):
    query, key, value = 30 * torch.randn(30, 8), 30 * torch.randn(20, 8), torch.randn(20, 2)
    _, weights = attention(query, key, value)
    return bool((weights > 0).all() and ((weights.sum(-1) - 1).abs() < 1e-4).all())
