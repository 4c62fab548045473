# wrong: counts only changes of more than 0.3
# named: too_coarse
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[1] - before).abs() > 0.3
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True
