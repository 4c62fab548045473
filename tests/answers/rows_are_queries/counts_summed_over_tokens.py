# right
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    rows = columns = 0
    for i in range(len(x)):
        other = torch.cat([x[:i], -2 * x[i : i + 1].roll(1, 1), x[i + 1 :]])
        moved = (attend(other, memory)[1] - before).abs() > 1e-5
        rows += int(moved.any(dim=1).sum())
        columns += int(moved.any(dim=0).sum())
    return rows < columns
