# wrong: a triangle that begins at key 0
# named: aligned_to_start
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril()
