# wrong: lets each token see the next one too
# named: one_ahead
import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len + 1)
