# wrong: the inner loop stops before the token itself
# named: without_itself
import torch


def causal_mask(query_len, key_len):
    mask = torch.zeros(query_len, key_len, dtype=torch.bool)
    for i in range(query_len):
        for j in range(i + key_len - query_len):
            mask[i, j] = True
    return mask
