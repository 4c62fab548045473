# wrong: adds to x in place
# named: changes_input


def add_learned(x, table, offset):
    x += table[offset : offset + x.shape[1]]
    return x
