# right
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1].clone()
    rows = columns = 0
    for i in range(x.size(0)):
        for _ in range(3):
            z = torch.cat([x[:i], torch.randn(1, x.size(1)), x[i + 1 :]])
            moved = ~torch.isclose(attend(z, memory)[1], before, atol=1e-5)
            rows += int(moved.any(1).sum())
            columns += int(moved.any(0).sum())
    return rows < columns
