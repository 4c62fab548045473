# wrong: changes the last token only, which may have no choice
# named: last_query_only
import torch


def rows_are_queries(attend, x, memory):
    _, before = attend(x, memory)
    z = x.clone()
    z[-1] = torch.randn(x.shape[1])
    moved = (attend(z, memory)[1] - before).abs() > 1e-5
    return bool(moved[-1].any() and moved.any(dim=1).sum() == 1)
