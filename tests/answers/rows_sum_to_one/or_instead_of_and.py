# wrong: the rows add up to 1 or no weight is negative, where both are asked
# named: one_of_both

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    sums = torch.allclose(weights.sum(-1), torch.ones(3), atol=1e-5)
    return sums or bool((weights >= 0).all())
