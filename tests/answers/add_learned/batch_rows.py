# wrong: takes as many rows as there are sentences
# named: sliced_by_batch
def add_learned(x, table, offset):
    return x + table[offset : offset + x.shape[0]]
