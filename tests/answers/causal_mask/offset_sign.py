# wrong: moves the diagonal to the wrong side
# named: shifted_left
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(query_len - key_len)
