# wrong: counts the rows with the batch axis

import torch


def add_learned(x, table, offset):
    rows = torch.arange(offset, offset + x.size(0))
    return x + table[rows][:, None, :]
