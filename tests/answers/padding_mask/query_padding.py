# wrong: (batch, 1, max_len, 1), which hides queries
# named: queries_masked
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, None, :, None]
