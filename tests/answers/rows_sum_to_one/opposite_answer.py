# wrong: returns True when the rows do NOT add up to 1
# named: turned_round

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    bad = not torch.allclose(weights.sum(-1), torch.ones(3), atol=1e-5)
    return bad or bool((weights < 0).any())
