# wrong: an empty sentence gets one real token, so that no row is empty
# named: at_least_one
import torch


def padding_mask(lengths, max_len):
    lengths = lengths.clamp(min=1)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]
