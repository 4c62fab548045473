# wrong: lets one place of padding through
# named: one_more
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None, :]
