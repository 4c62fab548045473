# wrong: asserts and returns nothing instead of True or False
# named: asserts
import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(5, 4), torch.randn(7, 4), torch.randn(7, 2))
    assert (weights >= 0).all()
    assert torch.allclose(weights.sum(dim=-1), torch.ones(5), atol=1e-5)
