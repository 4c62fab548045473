# wrong: blocks the padding queries as well, (batch, 1, max_len, max_len)
# named: queries_too
import torch


def padding_mask(lengths, max_len):
    real = torch.arange(max_len) < lengths[:, None]
    return (real[:, :, None] & real[:, None, :])[:, None]
