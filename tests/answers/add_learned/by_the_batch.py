# wrong: gives the rows to the sentences instead of the places
# named: by_batch


def add_learned(x, table, offset):
    return x + table[offset : offset + x.shape[0]][:, None, :]
