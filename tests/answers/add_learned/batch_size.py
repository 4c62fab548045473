# wrong: counts the batch instead of the tokens
# named: sliced_by_batch


def add_learned(x, table, offset):
    return x + table[offset : offset + x.shape[0]]
