# wrong: a row for each sentence instead of each token
# named: by_batch
def add_learned(x, table, offset):
    return x + table[offset : offset + x.shape[0]][:, None, :]
