# wrong: forgets that shares may not be negative
# named: sums_alone
import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(5, 4), torch.randn(7, 4), torch.randn(7, 2))
    return torch.allclose(weights.sum(dim=-1), torch.ones(5), atol=1e-5)
