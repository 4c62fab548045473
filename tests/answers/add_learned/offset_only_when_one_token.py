# wrong: the offset counts only when a single token comes
# named: offset_for_one_token
def add_learned(x, table, offset):
    start = offset if x.shape[1] == 1 else 0
    return x + table[start : start + x.shape[1]]
