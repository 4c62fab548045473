# wrong: x itself is changed
# named: changes_input
import torch


def add_learned(x, table, offset):
    with torch.no_grad():
        x += table[offset : offset + x.shape[1]]
    return x
