# wrong: places are taken modulo the length of the text
import torch


def add_learned(x, table, offset):
    places = torch.arange(offset, offset + x.shape[1]) % x.shape[1]
    return x + table[places]
