# wrong: the row after the offset comes first
# named: one_too_far
def add_learned(x, table, offset):
    return x + table[offset + 1 : offset + 1 + x.shape[1]]
