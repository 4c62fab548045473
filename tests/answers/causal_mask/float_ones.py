# wrong: returns ones and zeros as floating-point numbers
# named: dtype
import torch


def causal_mask(query_len, key_len):
    return torch.tril(torch.ones(query_len, key_len), diagonal=key_len - query_len)
