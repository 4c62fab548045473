# right
import torch
import torch.nn.functional as F


def add_learned(x, table, offset):
    places = torch.arange(offset, offset + x.size(1))
    return x + F.embedding(places, table)
