# wrong: 1.0 and 0.0 instead of True and False
# named: dtype
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].float()
