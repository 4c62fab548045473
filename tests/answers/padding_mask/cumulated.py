# right
import torch


def padding_mask(lengths, max_len):
    ones = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.long)
    return ones.cumsum(-1) <= lengths.view(-1, 1, 1, 1)
