# wrong: positions are counted from 1
# named: one_less
import torch


def padding_mask(lengths, max_len):
    positions = torch.arange(1, max_len + 1)
    return (positions < lengths[:, None])[:, None, None, :]
