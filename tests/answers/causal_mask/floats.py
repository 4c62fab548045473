# wrong: 1.0 and 0.0, not True and False
# named: dtype
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len).tril(key_len - query_len)
