# wrong: tries one key only, so every softmax over the keys is 1
# named: single_key

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(1, 4), torch.randn(1, 2))
    return bool((weights >= 0).all() and torch.allclose(weights.sum(-1), torch.ones(3)))
