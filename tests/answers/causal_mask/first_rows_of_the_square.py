# wrong: the first query_len rows of the square
# named: aligned_to_start
import torch


def causal_mask(query_len, key_len):
    return torch.ones(key_len, key_len, dtype=torch.bool).tril()[:query_len]
