# wrong: multiplies by the rows instead of adding them
# named: multiplied
def add_learned(x, table, offset):
    return x * table[offset : offset + x.shape[1]]
