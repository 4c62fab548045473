# right
import torch


def rows_sum_to_one(attention):
    g = torch.Generator().manual_seed(11)
    for n, m in ((2, 9), (6, 3), (5, 5)):
        q, k, v = (torch.randn(s, 4, generator=g) for s in (n, m, m))
        w = attention(q, k, v)[1]
        if tuple(w.shape) != (n, m) or w.min() < 0:
            return False
        if ((w @ torch.ones(m, dtype=w.dtype)) - 1).abs().max() > 1e-4:
            return False
    return True
