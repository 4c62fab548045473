# wrong: compares the sum of the whole table with the number of queries, not each row with 1
# named: total_of_square

import torch


def rows_sum_to_one(attention):
    torch.manual_seed(0)
    _, w = attention(torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 2))
    return bool(abs(w.sum().item() - w.shape[0]) < 1e-4 and (w >= 0).all())
