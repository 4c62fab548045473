# right
import torch


def causal_mask(query_len, key_len):
    ahead = torch.triu(torch.ones(query_len, key_len), diagonal=key_len - query_len + 1)
    return ahead == 0
