# wrong: the copy is no copy, so before and after are the same
# named: never_rows | changes_input
import torch


def rows_are_queries(attend, x, memory):
    for i in range(len(x)):
        z = x
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[1] - attend(x, memory)[1]).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return False
