# right
import torch


def rows_are_queries(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        other = x.clone()
        other[i] = torch.randn_like(x[i]) * 3
        change = (attend(other, memory)[1] - before).abs()
        if change.max() > 1e-5:
            outside_row = change.clone()
            if i < len(outside_row):
                outside_row[i] = 0
            return bool(outside_row.max() <= 1e-5)
    raise ValueError("no query has a choice")
