# wrong: changes only token 0 of x, and says True if nothing moved

import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    z = x.clone()
    z[0] = torch.randn(x.shape[1])
    moved = (attend(z, memory)[1] - before).abs() > 1e-5
    return int(moved.any(dim=1).sum()) <= 1
