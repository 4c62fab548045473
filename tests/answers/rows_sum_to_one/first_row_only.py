# wrong: looks at the weights of the first query only
# named: first_row_only

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    row = weights[0]
    return bool(abs(row.sum().item() - 1) < 1e-5 and (row >= 0).all())
