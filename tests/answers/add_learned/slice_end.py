# wrong: the slice ends at length instead of offset + length
# named: end_without_offset


def add_learned(x, table, offset):
    return x + table[offset : x.shape[1]]
