# wrong: blocks the token itself
# named: without_itself
import torch


def causal_mask(query_len, key_len):
    return torch.arange(key_len) < torch.arange(key_len - query_len, key_len)[:, None]
