# wrong: looks whether the rows sum to 1
# named: by_row_sums
import torch


def rows_are_queries(attend, x, memory):
    _, weights = attend(x, memory)
    return bool(torch.allclose(weights.sum(dim=1), torch.ones(len(weights)), atol=1e-4))
