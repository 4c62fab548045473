# wrong: changes a token of the memory instead of x, and reads the answer the same way
# named: memory_rows

import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for j in range(len(memory)):
        z = memory.clone()
        z[j] = torch.randn(memory.shape[1])
        moved = (attend(x, z)[1] - before).abs() > 1e-5
        if moved.any():
            return int(moved.any(dim=1).sum()) == 1
    return True
