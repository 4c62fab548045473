# wrong: places beyond 16 all get row 16
import torch


def add_learned(x, table, offset):
    places = torch.arange(offset, offset + x.shape[1]).clamp(max=16)
    return x + table[places.clamp(max=len(table) - 1)]
