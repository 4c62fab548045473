# wrong: aligns the triangle to the first key
# named: aligned_to_start
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril()
