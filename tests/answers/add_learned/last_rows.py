# wrong: the last rows of the table
def add_learned(x, table, offset):
    return x + table[len(table) - x.shape[1] :]
