# wrong: changes token 0 only, which may have had no choice
# named: first_query_only
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    z = x.clone()
    z[0] = torch.randn_like(z[0])
    moved = (attend(z, memory)[1] - before).abs() > 1e-5
    return bool(moved.any(dim=1).sum() == 1)
