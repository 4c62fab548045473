# wrong: True where a query may not attend
# named: inverted
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).triu(key_len - query_len + 1)
