# right
import torch


def causal_mask(query_len, key_len):
    rows = [[j <= i + key_len - query_len for j in range(key_len)] for i in range(query_len)]
    return torch.tensor(rows, dtype=torch.bool).reshape(query_len, key_len)
