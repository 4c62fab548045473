# wrong: never looks whether a weight is negative
# named: sums_alone

import torch


def rows_sum_to_one(attention):
    torch.manual_seed(0)
    _, w = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return torch.allclose(w.sum(dim=1), torch.ones(3), atol=1e-5)
