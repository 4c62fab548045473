# right
import torch


def causal_mask(query_len, key_len):
    return torch.ones(key_len, key_len).tril().bool()[key_len - query_len :]
