# wrong: a table for at most 64 positions
# named: table_ends
import torch

_POSITIONS = torch.arange(64)


def padding_mask(lengths, max_len):
    return (_POSITIONS[:max_len] < lengths[:, None])[:, None, None, :]
