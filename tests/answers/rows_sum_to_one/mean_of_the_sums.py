# wrong: compares the mean of the row sums with 1
# named: total_of_square

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 2))
    return bool((weights >= 0).all()) and abs(weights.sum(-1).mean().item() - 1) < 1e-5
