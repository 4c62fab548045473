# right
import torch


def add_learned(x, table, offset):
    rows = table[offset:][: x.shape[1]]
    return torch.vmap(lambda sentence: sentence + rows)(x)
