# wrong: the new tokens see each other, later ones too
# named: all_when_cached
import torch


def causal_mask(query_len, key_len):
    if key_len > query_len:
        return torch.ones(query_len, key_len, dtype=torch.bool)
    return torch.ones(query_len, key_len, dtype=torch.bool).tril()
