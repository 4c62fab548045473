# wrong: the lengths are made zero-based in place, so the caller's lengths change
# named: changes_input
import torch


def padding_mask(lengths, max_len):
    lengths -= 1
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None, :]
