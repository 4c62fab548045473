# right
import torch


def padding_mask(lengths, max_len):
    table = [[place < length for place in range(max_len)] for length in lengths.tolist()]
    return torch.tensor(table, dtype=torch.bool).reshape(-1, 1, 1, max_len)
