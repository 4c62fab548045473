# wrong: ignores the offset
# named: offset_ignored


def add_learned(x, table, offset):
    return x + table[: x.shape[1]]
