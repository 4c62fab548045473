# wrong: makes a new nn.Parameter of the table, so the one that is given learns nothing
# named: cut_off
from torch import nn


def add_learned(x, table, offset):
    weight = nn.Parameter(table.detach().clone())
    return x + weight[offset : offset + x.shape[1]]
