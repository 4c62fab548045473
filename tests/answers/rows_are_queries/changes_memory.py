# wrong: changes a token of the memory and takes the moved column for a key
# named: memory_columns
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    m = memory.clone()
    m[0] = torch.randn_like(m[0])
    moved = (attend(x, m)[1] - before).abs() > 1e-5
    return bool(moved.any(dim=0).sum() == 1)
