# wrong: row for each key, a column for each query, and right otherwise
# named: transposed
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len).T
