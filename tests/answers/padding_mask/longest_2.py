# wrong: makes the mask as long as the longest sentence
# named: cut_at_longest
import torch


def padding_mask(lengths, max_len):
    n = int(lengths.max())
    return (torch.arange(n) < lengths[:, None])[:, None, None, :]
