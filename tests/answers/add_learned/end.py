# wrong: the slice ends at length instead of offset + length

import torch


def add_learned(x, table, offset):
    rows = table[offset : x.shape[1]]
    if len(rows) != x.shape[1]:
        rows = torch.cat([rows, torch.zeros(x.shape[1] - len(rows), x.shape[2], dtype=x.dtype)])
    return x + rows
