# wrong: checks that sum - 1 is small without abs, so every sum below 1 passes
# named: too_small_passes

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool((weights.sum(-1) - 1 < 1e-5).all() and (weights >= 0).all())
