# wrong: the last rows of the table
# named: last_rows
def add_learned(x, table, offset):
    return x + table[len(table) - x.shape[1] :]
