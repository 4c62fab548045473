# right
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    noise = torch.randn_like(x)
    for i in range(len(x)):
        kept = noise.clone()
        kept[i] = x[i]
        same = (attend(kept, memory)[1] - before).abs() < 1e-5
        full_rows, full_columns = same.all(dim=1), same.all(dim=0)
        if i < len(full_rows) and full_rows[i] != (i < len(full_columns) and full_columns[i]):
            return bool(full_rows[i])
        if i >= len(full_rows):
            return False
    others = [torch.cat([x[:i], noise[i : i + 1], x[i + 1 :]]) for i in range(len(x))]
    moved = [(attend(o, memory)[1] - before).abs() > 1e-5 for o in others]
    return sum(int(m.any(1).sum()) for m in moved) < sum(int(m.any(0).sum()) for m in moved)
