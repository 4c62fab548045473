# wrong: compares how much all rows move with how much all columns move, which is the same number
# named: always_rows
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    z = x.clone()
    z[0] = torch.randn_like(z[0])
    change = (attend(z, memory)[1] - before).abs()
    return bool(change.sum(dim=1).sum() >= change.sum(dim=0).sum() - 1e-6)
