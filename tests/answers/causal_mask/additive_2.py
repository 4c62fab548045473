# wrong: returns 0 and minus infinity to be added to the scores
# named: additive
import torch


def causal_mask(query_len, key_len):
    full = torch.full((query_len, key_len), float("-inf"))
    return torch.triu(full, diagonal=key_len - query_len + 1)
