# wrong: torch.tensor copies the rows and cuts the gradient
# named: cut_off
import torch


def add_learned(x, table, offset):
    rows = torch.tensor(table[offset : offset + x.shape[1]].tolist(), dtype=x.dtype)
    return x + rows
