# right
import torch


def padding_mask(lengths, max_len):
    table = torch.ones(max_len + 1, max_len, dtype=torch.bool).tril(-1)
    return table[lengths].reshape(-1, 1, 1, max_len)
