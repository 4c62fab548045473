# wrong: decides by the row sums
# named: by_row_sums
import torch


def rows_are_queries(attend, x, memory):
    _, weights = attend(x, memory)
    return torch.allclose(weights.sum(dim=1), torch.ones(weights.shape[0]), atol=1e-4)
