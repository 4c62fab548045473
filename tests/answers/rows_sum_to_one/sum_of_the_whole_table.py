# wrong: compares the sum of the whole table with the number of queries
# named: total_of_square

import torch


def rows_sum_to_one(attention):
    n = 4
    _, weights = attention(torch.randn(n, 3), torch.randn(n, 3), torch.randn(n, 3))
    return bool((weights >= 0).all()) and abs(weights.sum().item() - n) < 1e-4
