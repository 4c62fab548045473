# wrong: reads table.data, so the table gets no gradient
# named: cut_off


def add_learned(x, table, offset):
    return x + table.data[offset : offset + x.shape[1]]
