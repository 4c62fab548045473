# wrong: asks only whether row i moved at all, and it does in both cases (its cell of column i)
# named: always_rows
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn_like(z[i])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any() and i < len(moved):
            return bool(moved[i].any())
    return True
