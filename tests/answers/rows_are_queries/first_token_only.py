# wrong: changes token 0 only, which may have no choice
# named: first_query_only
import torch


def rows_are_queries(attend, x, memory):
    _, before = attend(x, memory)
    z = x.clone()
    z[0] = torch.randn(x.shape[1])
    moved = (attend(z, memory)[1] - before).abs() > 1e-5
    return bool(moved.any(dim=1).sum() == 1)
