# right

import torch


def rows_sum_to_one(attention):
    for query_len, key_len in ((2, 7), (7, 2), (4, 4)):
        q, k, v = torch.randn(query_len, 3), torch.randn(key_len, 3), torch.randn(key_len, 5)
        weights = attention(q, k, v)[1]
        if weights.min() < 0 or (weights.sum(1) - 1).abs().max() > 1e-4:
            return False
    return True
