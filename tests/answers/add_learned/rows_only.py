# wrong: returns the rows without x
def add_learned(x, table, offset):
    return table[offset : offset + x.shape[1]].expand(x.shape)
