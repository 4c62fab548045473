# wrong: True marks the padding, as key_padding_mask of torch does
# named: inverted
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len)[None] >= lengths[:, None]).view(-1, 1, 1, max_len)
