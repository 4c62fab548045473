# right

import torch


def rows_sum_to_one(attention):
    q, k, v = torch.randn(5, 4), torch.randn(8, 4), torch.randn(8, 3)
    _, weights = attention(q, k, v)
    try:
        torch.testing.assert_close(weights.abs().sum(-1), torch.ones(5), atol=1e-4, rtol=0)
        torch.testing.assert_close(weights.sum(-1), torch.ones(5), atol=1e-4, rtol=0)
    except AssertionError:
        return False
    return True
