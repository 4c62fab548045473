# wrong: the rows begin at 0 whatever the offset is
# named: offset_ignored
def add_learned(x, table, offset):
    return x + table[: x.shape[1]]
