# wrong: the lengths are sorted first, so the rows belong to other sentences
# named: sorted
import torch


def padding_mask(lengths, max_len):
    lengths = lengths.sort(descending=True).values
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]
