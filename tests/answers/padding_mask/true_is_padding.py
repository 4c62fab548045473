# wrong: True at the padding, as torch's key_padding_mask has it
# named: inverted
import torch


def padding_mask(lengths, max_len):
    positions = torch.arange(max_len)
    return (positions >= lengths[:, None])[:, None, None, :]
