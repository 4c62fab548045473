# wrong: two axes too many, for batch and heads
# named: more_dimensions
import torch


def causal_mask(query_len, key_len):
    mask = torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
    return mask[None, None]
