# right
import torch


def causal_mask(query_len, key_len):
    earlier = key_len - query_len
    rows = [[j <= i + earlier for j in range(key_len)] for i in range(query_len)]
    return torch.tensor(rows, dtype=torch.bool)
