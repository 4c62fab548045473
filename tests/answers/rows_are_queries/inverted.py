# wrong: True and False are exchanged
# named: inverted
import torch


def rows_are_queries(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=0).sum() == 1)
    return False
