# wrong: the triangle is aligned to the start of the keys, as torch's is_causal
# named: aligned_to_start

import torch


def causal_mask(query_len, key_len):
    return torch.arange(key_len)[None, :] <= torch.arange(query_len)[:, None]
