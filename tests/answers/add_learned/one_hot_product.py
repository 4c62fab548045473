# right
import torch
import torch.nn.functional as F


def add_learned(x, table, offset):
    places = torch.arange(offset, offset + x.shape[-2])
    chosen = F.one_hot(places, table.shape[0]).to(table.dtype)
    return x + chosen @ table
