# wrong: returns the sum for the first sentence, without the batch
# named: without_batch
def add_learned(x, table, offset):
    return (x + table[offset : offset + x.shape[1]])[0]
