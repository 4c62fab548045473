# wrong: adds up over the queries instead of the keys
# named: wrong_axis

import torch


def rows_sum_to_one(attention):
    query, key, value = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2)
    _, weights = attention(query, key, value)
    sums = weights.sum(dim=0)
    return bool((weights >= 0).all() and torch.allclose(sums, torch.ones_like(sums)))
