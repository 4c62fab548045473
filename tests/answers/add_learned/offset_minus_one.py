# wrong: the row before the offset comes first where there is one
# named: one_too_early
def add_learned(x, table, offset):
    start = max(offset - 1, 0)
    return x + table[start : start + x.shape[1]]
