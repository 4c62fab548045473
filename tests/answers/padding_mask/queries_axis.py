# wrong: puts the keys on the queries' axis
# named: queries_masked
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, None, :, None]
