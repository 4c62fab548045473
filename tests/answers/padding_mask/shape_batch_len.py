# wrong: (batch, max_len) without the two 1s
# named: two_dimensions
import torch


def padding_mask(lengths, max_len):
    return torch.arange(max_len) < lengths[:, None]
