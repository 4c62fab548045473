# wrong: looks at the sums and not at the signs
# named: sums_alone

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return torch.allclose(weights.sum(dim=-1), torch.ones(3), atol=1e-5)
