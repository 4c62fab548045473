# wrong: triu in place of tril
# named: upper
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).triu(key_len - query_len)
