# wrong: a mask of 0 and minus infinity, to be added
# named: additive
import math

import torch


def causal_mask(query_len, key_len):
    return torch.full((query_len, key_len), -math.inf).triu(key_len - query_len + 1)
