# wrong: returns the rows without x
# named: rows_alone
def add_learned(x, table, offset):
    return table[offset : offset + x.shape[1]].expand(x.shape)
