# wrong: puts the keys of the earlier tokens behind the new ones
# named: cached_behind
import torch


def causal_mask(query_len, key_len):
    new = torch.ones(query_len, query_len, dtype=torch.bool).tril()
    old = torch.ones(query_len, key_len - query_len, dtype=torch.bool)
    return torch.cat((new, old), dim=1)
