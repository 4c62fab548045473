# wrong: table.data, which gets no gradient
def add_learned(x, table, offset):
    return x + table.data[offset : offset + x.shape[1]]
