# wrong: says False as soon as a query that is tried does not move
# named: all_must_move
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if i >= moved.shape[0] or not moved[i].any():
            return False
    return True
