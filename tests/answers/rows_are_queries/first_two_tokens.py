# wrong: tries tokens 0 and 1 only and gives up with True
# named: first_two_only
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(2):
        z = x.clone()
        z[i] = torch.randn_like(z[i])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True
