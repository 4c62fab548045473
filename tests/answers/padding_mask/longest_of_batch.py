# wrong: the row ends at the longest sentence instead of max_len
# named: cut_at_longest
import torch


def padding_mask(lengths, max_len):
    positions = torch.arange(int(lengths.max()))
    return (positions < lengths[:, None])[:, None, None, :]
