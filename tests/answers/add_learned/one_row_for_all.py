# wrong: all tokens get the row of the offset
def add_learned(x, table, offset):
    return x + table[offset]
