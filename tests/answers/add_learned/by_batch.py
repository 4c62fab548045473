# wrong: a row for each sentence instead of each token
def add_learned(x, table, offset):
    return x + table[offset : offset + x.shape[0]][:, None, :]
