# wrong: forgets key_len
# named: square_of_queries
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, query_len, dtype=torch.bool).tril()
