# wrong: returns an additive float mask of 0 and -inf
# named: additive
import math

import torch


def causal_mask(query_len, key_len):
    m = torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
    return torch.zeros(query_len, key_len).masked_fill(~m, -math.inf)
