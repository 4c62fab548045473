# right
import torch


def causal_mask(query_len, key_len):
    query = torch.arange(key_len - query_len, key_len)
    return torch.arange(key_len)[None, :] <= query[:, None]
