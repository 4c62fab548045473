# wrong: True above the diagonal, as nn.MultiheadAttention wants it
# named: inverted
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len).triu(key_len - query_len + 1).bool()
