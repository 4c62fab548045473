# wrong: hides the keys of the earlier tokens
# named: cached_hidden
import torch


def causal_mask(query_len, key_len):
    mask = torch.zeros(query_len, key_len, dtype=torch.bool)
    mask[:, key_len - query_len :] = torch.ones(query_len, query_len).tril().bool()
    return mask
