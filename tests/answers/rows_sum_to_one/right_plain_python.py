# right

import math

import torch


def rows_sum_to_one(attention):
    torch.manual_seed(3)
    for _ in range(5):
        _, weights = attention(torch.randn(6, 4), torch.randn(9, 4), torch.randn(9, 4))
        for row in weights.tolist():
            if any(w < 0 for w in row) or not math.isclose(sum(row), 1.0, abs_tol=1e-4):
                return False
    return True
