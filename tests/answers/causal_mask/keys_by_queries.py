# wrong: a row for each key
# named: transposed
import torch


def causal_mask(query_len, key_len):
    return torch.ones(key_len, query_len, dtype=torch.bool).tril()
