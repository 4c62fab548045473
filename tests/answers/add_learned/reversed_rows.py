# wrong: the first token gets the last of its rows
# named: counted_back
def add_learned(x, table, offset):
    return x + table[offset : offset + x.shape[1]].flip(0)
