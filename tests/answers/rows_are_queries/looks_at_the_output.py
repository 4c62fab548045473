# wrong: looks which row of the output moves, which is always that of the token
# named: always_rows
import torch


def rows_are_queries(attend, x, memory):
    before, _ = attend(x, memory)
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[0] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True
