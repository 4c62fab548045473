# right
import numpy as np
import torch


def causal_mask(query_len, key_len):
    return torch.from_numpy(np.tri(query_len, key_len, key_len - query_len, dtype=bool))
