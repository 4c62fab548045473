# wrong: takes as many rows as there are features
# named: sliced_by_features
def add_learned(x, table, offset):
    return x + table[offset : offset + x.shape[2]]
