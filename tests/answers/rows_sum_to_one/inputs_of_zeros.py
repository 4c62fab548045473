# wrong: inputs of zeros, for which many wrong versions give equal shares
# named: zero_inputs

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.zeros(3, 4), torch.zeros(5, 4), torch.zeros(5, 2))
    sums = weights.sum(dim=-1)
    return bool((weights >= 0).all()) and torch.allclose(sums, torch.ones(3), atol=1e-5)
