# wrong: compares the sum of the whole table with the number of queries on a square table
# named: total_of_square
import torch


def rows_sum_to_one(attention):
    q = torch.randn(4, 3)
    _, w = attention(q, torch.randn(4, 3), torch.randn(4, 3))
    return bool(torch.isclose(w.sum(), torch.tensor(4.0), atol=1e-4)) and bool((w >= 0).all())
