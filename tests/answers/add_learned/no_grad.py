# wrong: computed under no_grad
# named: cut_off
import torch


def add_learned(x, table, offset):
    with torch.no_grad():
        return x + table[offset : offset + x.shape[1]]
