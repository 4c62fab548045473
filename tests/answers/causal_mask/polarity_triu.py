# wrong: True means blocked (triu), the inverted polarity
# named: inverted

import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len).triu(diagonal=key_len - query_len + 1).bool()
