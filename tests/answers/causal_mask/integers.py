# wrong: 1 and 0 as integers
# named: dtype
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.uint8).tril(key_len - query_len)
