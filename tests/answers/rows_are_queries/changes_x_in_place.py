# wrong: the token is changed in x itself, without a clone
# named: changes_input
import torch


def rows_are_queries(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        x[i] = torch.randn(x.shape[1])
        moved = (attend(x, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True
