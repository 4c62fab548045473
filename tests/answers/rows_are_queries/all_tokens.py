# wrong: changes all tokens of x at once
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    after = attend(torch.randn_like(x), memory)[1]
    moved = (after - before).abs() > 1e-5
    return bool(moved.any(dim=1).sum() <= moved.any(dim=0).sum())
