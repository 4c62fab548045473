# wrong: tries one query only, where a table normalised as a whole looks right
# named: single_query

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(1, 4), torch.randn(5, 4), torch.randn(5, 2))
    ok = torch.allclose(weights.sum(dim=-1), torch.ones(1), atol=1e-5)
    return bool(ok and (weights >= 0).all())
