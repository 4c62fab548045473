# wrong: adds up absolute values, so negative weights are never seen as such
# named: absolute_weights

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    sums = weights.abs().sum(dim=-1)
    return torch.allclose(sums, torch.ones_like(sums), atol=1e-5)
