# wrong: where batch and length are equal, the rows go along the batch
def add_learned(x, table, offset):
    rows = table[offset : offset + x.shape[1]]
    return x + (rows[:, None] if x.shape[0] == x.shape[1] else rows)
