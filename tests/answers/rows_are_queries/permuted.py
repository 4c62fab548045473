# wrong: x turned round must turn the rows round, which is false where the mask belongs to the place
# named: permuted
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    after = attend(x.flip(0), memory)[1]
    return bool(torch.allclose(after, before.flip(0), atol=1e-5))
