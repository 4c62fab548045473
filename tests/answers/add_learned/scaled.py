# wrong: the rows are scaled by sqrt(d_model)
# named: scaled
import math


def add_learned(x, table, offset):
    return x + table[offset : offset + x.shape[1]] * math.sqrt(x.shape[-1])
