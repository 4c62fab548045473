# wrong: probes with a single query, so one table entry per key: a softmax over the whole table passes
# named: single_query

import torch


def rows_sum_to_one(attention):
    q, k, v = torch.randn(1, 4), torch.randn(6, 4), torch.randn(6, 3)
    _, w = attention(q, k, v)
    return bool(torch.allclose(w.sum(-1), torch.ones(1)) and (w >= 0).all())
