# right
import math

import torch


def causal_mask(query_len, key_len):
    additive = torch.full((query_len, key_len), -math.inf)
    return torch.triu(additive, diagonal=1 + key_len - query_len).exp() > 0
