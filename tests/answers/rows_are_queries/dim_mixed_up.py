# wrong: counts the moved columns where it means the rows
# named: inverted
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn_like(z[i])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=0).sum() == 1)
    return False
