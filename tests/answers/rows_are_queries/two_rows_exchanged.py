# wrong: exchanges the first two tokens and looks only whether the first two rows are exchanged
# named: permuted
import torch


def rows_are_queries(attend, x, memory):
    order = [1, 0, *range(2, len(x))]
    before, after = attend(x, memory)[1], attend(x[order], memory)[1]
    return bool(torch.allclose(after[:2], before[[1, 0]], atol=1e-5))
