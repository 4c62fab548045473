# wrong: the 1 for the queries is expanded to max_len
# named: expanded
import torch


def padding_mask(lengths, max_len):
    real = torch.arange(max_len) < lengths[:, None]
    return real[:, None, None, :].expand(-1, 1, max_len, max_len)
