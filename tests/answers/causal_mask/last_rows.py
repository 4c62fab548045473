# right

import torch


def causal_mask(query_len, key_len):
    square = torch.tril(torch.ones((key_len, key_len))) > 0
    return square[key_len - query_len :]
