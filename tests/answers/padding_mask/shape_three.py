# wrong: (batch, 1, max_len), one 1 is missing
# named: three_dimensions
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len)[None, :] < lengths[:, None]).unsqueeze(1)
