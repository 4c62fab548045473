# wrong: all tokens get the row of the offset
# named: one_row
def add_learned(x, table, offset):
    return x + table[offset]
