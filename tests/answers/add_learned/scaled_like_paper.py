# wrong: multiplies the tokens by the root of d_model first
import math


def add_learned(x, table, offset):
    return x * math.sqrt(x.shape[-1]) + table[offset : offset + x.shape[1]]
