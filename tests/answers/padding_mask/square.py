# wrong: (batch, 1, max_len, max_len), hidden for the padded queries too
# named: queries_too
import torch


def padding_mask(lengths, max_len):
    real = torch.arange(max_len) < lengths[:, None]
    return real[:, None, :, None] & real[:, None, None, :]
