# wrong: changes a token of the memory instead of x
# named: memory_columns
import torch


def rows_are_queries(attend, x, memory):
    _, before = attend(x, memory)
    z = memory.clone()
    z[0] = torch.randn(memory.shape[1])
    moved = (attend(x, z)[1] - before).abs() > 1e-5
    return bool(moved.any(dim=0).sum() == 1)
